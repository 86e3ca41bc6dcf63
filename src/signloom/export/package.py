"""Any trained task to its model package: the one door of `signloom export`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from signloom.export.card import card_of
from signloom.export.produce import export_produce
from signloom.export.recognizer import export_recognizer
from signloom.runtime.package import Package


def export_task(
    task: Any,
    folder: Path,
    *,
    system: str,
    recipe: str,
    step: int,
    figures: Mapping[str, Any] | None = None,
    overwrite: bool = False,
) -> Package:
    """Export a trained task; the package is named after its folder.

    Args:
        task: What `training.restore` gave.
        folder: Where the package goes.
        system: Name of its system.
        recipe: Name of its recipe, for the card.
        step: Optimiser steps done, for the card.
        figures: Measured figures for the card, or None to say that there are none.
        overwrite: Replace a package that lies there already.

    Raises:
        PackageError: The package would not give what the model gives, or the folder is taken.
    """
    name = folder.resolve().name
    card = card_of(name, system=system, task=task, recipe=recipe, step=step, figures=figures)
    if system == "produce":
        return export_produce(task, folder, name=name, card=card, overwrite=overwrite)
    return export_recognizer(task, folder, name=name, card=card, overwrite=overwrite)
