"""Checkpoints that are either whole or not there, and that are never unpickled on reading."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from lightning.fabric.plugins.io import TorchCheckpointIO

from signloom.errors import FormatError


class AtomicCheckpointIO(TorchCheckpointIO):
    """Write beside the target and rename, so that a kill leaves the last checkpoint intact."""

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: str | os.PathLike[str], storage_options: Any = None
    ) -> None:
        """Save `checkpoint` at `path`, atomically."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(target.name + ".partial")
        with partial.open("wb") as file:
            torch.save(checkpoint, file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Read a checkpoint as plain data and tensors.

    Raises:
        FormatError: The file is missing, or holds anything but tensors and plain data.
    """
    try:
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError as error:
        raise FormatError(f"A checkpoint must exist at {path}, but nothing is there.") from error
    except Exception as error:
        raise FormatError(
            f"{path} must be a checkpoint of `signloom train`, but cannot be read as one "
            f"({type(error).__name__})."
        ) from error
    if not isinstance(checkpoint, dict) or "signloom" not in checkpoint:
        raise FormatError(
            f"{path} must be a checkpoint of `signloom train`, but has no `signloom` entry."
        )
    return checkpoint
