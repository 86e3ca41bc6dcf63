"""Any trained task to its model package: the one door of `signloom export`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from signloom.errors import PackageError
from signloom.export.caption import export_caption
from signloom.export.card import Origin, card_of
from signloom.export.halving import round_weights
from signloom.export.judge import export_judge
from signloom.export.produce import export_produce
from signloom.export.recognize import export_recognize
from signloom.export.transcribe import export_transcribe
from signloom.export.translate import export_translate
from signloom.poses.formats.atomic import check_writable
from signloom.runtime.checksums import CHECKSUMS_FILE
from signloom.runtime.package import Package, is_printed


def export_task(
    task: Any,
    folder: Path,
    *,
    system: str,
    origin: Origin,
    overwrite: bool = False,
) -> Package:
    """Export a trained task; the package is named after its folder.

    Args:
        task: What `training.restore` gave.
        folder: Where the package goes.
        system: Name of its system.
        origin: How it was made, for the card; `half` rounds the task's weights, in place.
        overwrite: Replace a package that lies there already.

    Raises:
        PackageError: The package would not give what the model gives, or the folder is taken.
        ConfigError: It is an autoregressive transcriber.
    """
    refuse_taken(folder, overwrite=overwrite)
    name = folder.resolve().name
    if origin.half:
        round_weights(task.model)
    card = card_of(name, system=system, task=task, origin=origin)
    if system == "produce":
        return export_produce(task, folder, name=name, card=card, overwrite=overwrite)
    if system == "translate":
        return export_translate(
            task, folder, name=name, card=card, half=origin.half, overwrite=overwrite
        )
    if system == "recognize":
        return export_recognize(task, folder, name=name, card=card, overwrite=overwrite)
    if system == "caption":
        return export_caption(task, folder, name=name, card=card, overwrite=overwrite)
    if system == "transcribe":
        return export_transcribe(task, folder, name=name, card=card, overwrite=overwrite)
    return export_judge(task, folder, name=name, card=card, overwrite=overwrite)


def refuse_taken(folder: Path, *, overwrite: bool) -> None:
    """Refuse a folder that no package can be put at, before the work is done.

    Raises:
        PackageError: Something else lies there, or it cannot be made.
    """
    try:
        replaceable = overwrite and (folder / CHECKSUMS_FILE).is_file()
        if os.path.lexists(folder) and not replaceable:
            raise PackageError(
                f"The folder {folder} exists already. Remove it, choose another, or, if it is a "
                "package, ask to overwrite."
            )
        nearest = next(one for one in folder.absolute().parents if one.exists())
    except OSError as error:
        raise PackageError(f"{folder} cannot be written: {error.strerror}.") from error
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        found = "cannot be written" if nearest.is_dir() else "is no folder"
        raise PackageError(f"A package must go into a folder, but {nearest} {found}.")


def refuse_name(name: str) -> None:
    """Refuse a name that no package can have, before the work is done.

    Raises:
        PackageError: It is empty or too long, or has other characters than those of the message.
    """
    if not is_printed(name):
        raise PackageError(
            "The name of a package must be up to 100 letters of English, digits, `-`, `_` and `.`, "
            f"and begin with a letter or digit, but is {name[:80]!r}."
        )


def refuse_archive(path: Path, *, overwrite: bool) -> None:
    """Refuse a file that no package can be packed into, before the work is done.

    Raises:
        PackageError: There is one of that name.
        FormatError: It cannot be written.
    """
    check_writable(path)
    if path.exists() and not overwrite:
        raise PackageError(f"{path} is there already. Replace it with --overwrite.")
