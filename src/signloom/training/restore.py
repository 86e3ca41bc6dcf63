"""From a checkpoint back to the trained task."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from signloom.errors import FormatError
from signloom.systems.registry import system_module
from signloom.training.checkpoint import read_checkpoint
from signloom.training.recipe import Recipe, from_dict


@dataclass(frozen=True)
class Trained:
    """A trained task, in evaluation mode.

    Attributes:
        recipe: What it was trained by.
        task: The task with its weights.
        step: Optimiser steps done.
    """

    recipe: Recipe
    task: Any
    step: int


def restore(path: Path) -> Trained:
    """Build the task of a checkpoint and load its weights.

    Raises:
        FormatError: The file is no checkpoint, or its weights do not fit its recipe.
    """
    checkpoint = read_checkpoint(path)
    entry = checkpoint["signloom"]
    recipe = from_dict(entry["recipe"], name=entry["name"], label=str(path))
    task = system_module(recipe.system).build(recipe.sections, recipe.training.seed)
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
        raise FormatError(f"The weights in {path} must fit its recipe, but: {reason}") from error
    return Trained(recipe, task.eval(), entry["step"])
