"""From a checkpoint back to the trained task."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from signloom.errors import ConfigError, FormatError
from signloom.systems.registry import system_module
from signloom.training.checkpoint import load_weights, read_checkpoint
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
    try:
        recipe = from_dict(entry["recipe"], name=entry["name"], label=str(path))
        task = system_module(recipe.system).build(recipe.sections, recipe.training.seed)
    except ConfigError as error:
        raise FormatError(f"The recipe in {path} must hold, but: {error}") from error
    load_weights(task, checkpoint, path)
    return Trained(recipe, task.eval(), entry["step"])
