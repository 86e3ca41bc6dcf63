"""Checkpoints that are either whole or not there, and that are never unpickled on reading."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from lightning.fabric.plugins.io import TorchCheckpointIO
from torch import Tensor, nn

from signloom.errors import FormatError
from signloom.poses.formats.atomic import replacing

ENTRIES = {
    "signloom": dict,
    "state_dict": dict,
    "optimizer_states": list,
    "lr_schedulers": list,
    "loops": dict,
    "epoch": int,
    "global_step": int,
    "pytorch-lightning_version": str,
}
DESCRIPTION = {"name": str, "recipe": dict, "step": int}


class AtomicCheckpointIO(TorchCheckpointIO):
    """Write beside the target and rename, so that a kill leaves the last checkpoint intact."""

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: str | os.PathLike[str], storage_options: Any = None
    ) -> None:
        """Save `checkpoint` at `path`, atomically.

        Raises:
            FormatError: It cannot be written.
        """
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        # PyTorch would hide what stops a write, a full disk or Ctrl-C, behind its own error.
        content = io.BytesIO()
        torch.save(checkpoint, content)
        with replacing(target) as temporary:
            temporary.write_bytes(content.getbuffer())


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Read a checkpoint as plain data and tensors.

    Raises:
        FormatError: The file is missing, or holds anything but what a run saves.
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
    _check_kinds(checkpoint, ENTRIES, f"{path}")
    _check_kinds(checkpoint["signloom"], DESCRIPTION, f"`signloom` in {path}")
    strangers = [
        name for name, value in checkpoint["state_dict"].items() if not isinstance(value, Tensor)
    ]
    if strangers:
        raise FormatError(
            f"`state_dict` in {path} must hold tensors, but {strangers[0]!r} is none."
        )
    return checkpoint


def load_weights(task: nn.Module, checkpoint: Mapping[str, Any], path: Path) -> None:
    """Load the weights of a task that `read_checkpoint` read.

    Raises:
        FormatError: They do not fit the task.
    """
    prefix = "task."
    weights = {
        name.removeprefix(prefix): value
        for name, value in checkpoint["state_dict"].items()
        if name.startswith(prefix)
    }
    try:
        task.load_state_dict(weights)
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise FormatError(
            f"The weights in {path} must fit its recipe and its data, of which the vocabulary is "
            f"made. Has one of them changed? {reason}"
        ) from error


def average_checkpoints(paths: Sequence[Path], target: Path) -> None:
    """Write a checkpoint whose weights are the mean of others'; the rest is the last one's.

    Args:
        paths: Checkpoints of one run, the last one last.
        target: Where it goes.

    Raises:
        FormatError: One cannot be read.
    """
    checkpoints = [read_checkpoint(path) for path in paths]
    last = checkpoints[-1]
    last["state_dict"] = {
        name: _mean([one["state_dict"][name] for one in checkpoints]) for name in last["state_dict"]
    }
    AtomicCheckpointIO().save_checkpoint(last, target)


def _mean(tensors: Sequence[Tensor]) -> Tensor:
    """Average weights; numbers that count something are the last one's."""
    if not tensors[-1].is_floating_point():
        return tensors[-1]
    return torch.stack([one.double() for one in tensors]).mean(0).to(tensors[-1].dtype)


def _check_kinds(values: Mapping[str, Any], kinds: Mapping[str, type], where: str) -> None:
    for name, kind in kinds.items():
        value = values.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise FormatError(
                f"`{name}` in {where} must be a {kind.__name__}, but is a {type(value).__name__}. "
                "It is no checkpoint of `signloom train`, or damaged."
            )
