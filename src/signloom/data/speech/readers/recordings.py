"""The recordings that a list of speech names: where each is, and what no list may name."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import isfinite
from pathlib import Path

from signloom.data.readers.recordings import find_recording
from signloom.errors import FormatError
from signloom.features.bounded import check_plain
from signloom.features.sound import SOUND_SUFFIXES

SUFFIXES = (*SOUND_SUFFIXES, ".mp4", ".webm", ".mkv", ".mov")
"""Tried in this order when a table names a recording without its suffix."""


def find_listed(name: str, *, folders: Sequence[Path]) -> Path:
    """Give the recording of a path as Kaldi and its like write it: whole, or seen from a folder.

    Args:
        name: What the list says.
        folders: Where it may be seen from.

    Raises:
        FormatError: It is not there or empty, or a command.
    """
    if name.strip("| ") != name.strip():
        raise FormatError(
            f"must name a file, but names a command, {name[:60]!r}, which is not run: whoever "
            "wrote it could run anything here. Write what it gives into a file"
        )
    for folder in folders:
        path = folder / name
        with suppress(OSError, ValueError):  # a name that is too long or no name is of no file
            if path.is_file():
                return check_filled(path)
    raise FormatError(f"names {name[:200]!r}, but there is no such file in {folders[0]}")


def find_named(folder: Path, name: str, *, suffix: str = "") -> Path:
    """Give the recording of a name in a folder.

    Args:
        folder: Where it is.
        name: Its path in the folder, with or without its suffix.
        suffix: The suffix that it has; by default any of sound.

    Raises:
        FormatError: It is not there or empty, or the name leads out of the folder.
    """
    suffixes = (f".{suffix.removeprefix('.')}",) if suffix else SUFFIXES
    return check_filled(find_recording(folder, name, suffixes=suffixes))


def check_filled(path: Path) -> Path:
    """Give a recording that is not empty.

    Raises:
        FormatError: It is empty.
    """
    if not check_plain(path):
        raise FormatError(f"names {path}, but that is empty")
    return path


def seconds(value: object) -> float:
    """Read a number of seconds.

    Raises:
        FormatError: It is none, or below 0.

    Example:
        >>> seconds("1.5")
        1.5
    """
    try:
        found = float(value) if isinstance(value, str | int | float) else -1.0
    except ValueError:
        found = -1.0
    if not (isfinite(found) and found >= 0):
        raise FormatError(f"must have seconds from 0 up, but has {str(value)[:40]!r}")
    return found
