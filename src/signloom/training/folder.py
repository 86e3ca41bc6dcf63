"""What must hold before a run touches the disk: its folder, what lies there, the accelerator."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
import yaml

from signloom.errors import ConfigError
from signloom.poses.formats.atomic import replacing
from signloom.training.callbacks import CURVE, LAST, read_curve
from signloom.training.checkpoint import read_checkpoint
from signloom.training.documents import read_text
from signloom.training.recipe import Recipe

RECIPE = "recipe.yaml"


def refuse_accelerator(name: str) -> None:
    """Refuse an accelerator that this machine lacks.

    Raises:
        ConfigError: It does.
    """
    cuda, mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    if not {"gpu": cuda or mps, "mps": mps}.get(name, True):
        raise ConfigError(
            f"`training.accelerator` must be there, but this machine has no `{name}` that PyTorch "
            "can use. Set it to auto or cpu."
        )


def refuse_clash(recipe: Recipe, folder: Path, *, resume: bool) -> bool:
    """Refuse a folder that cannot hold the run; tell whether the run goes on from a checkpoint.

    Raises:
        ConfigError: The folder cannot be written, or holds a run that this one would spoil.
        FormatError: The checkpoint or the curve to go on from is damaged.
    """
    _refuse_closed(folder)
    last = folder / LAST
    if last.exists() and not resume:
        raise ConfigError(
            f"{folder} must not hold a run already, but it does. "
            "Add --resume to go on with it, or choose another --out."
        )
    kept = folder / RECIPE
    if (last.exists() or kept.exists()) and read_text(kept) != _as_yaml(recipe):
        raise ConfigError(
            f"{folder} holds the run of another recipe (see its {RECIPE}). "
            "Resume with the same recipe and --set, or choose another --out."
        )
    if last.exists():
        read_checkpoint(last)
        read_curve(folder / CURVE)
    return last.exists()


def make_folder(folder: Path) -> None:
    """Make the folder.

    Raises:
        ConfigError: The operating system refuses.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--out {folder} cannot be made: {error.strerror}.") from error


def note_recipe(folder: Path, recipe: Recipe) -> None:
    """Note in the folder what is trained there."""
    with replacing(folder / RECIPE) as path:
        path.write_text(_as_yaml(recipe), encoding="utf-8")


def _refuse_closed(folder: Path) -> None:
    try:
        nearest = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    except OSError as error:
        raise ConfigError(f"--out {folder} cannot be made: {error.strerror}.") from error
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        found = "cannot be written" if nearest.is_dir() else "is no folder"
        raise ConfigError(f"--out must be a folder to write to, but {nearest} {found}.")


def _as_yaml(recipe: Recipe) -> str:
    return yaml.safe_dump(_plain(recipe.to_dict()), sort_keys=False)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, (tuple, list)) else value
