"""Recordings named by a table: where each is, and what is said when it is not there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from signloom.errors import FormatError
from signloom.poses import formats
from signloom.poses.pose import Pose
from signloom.poses.skeleton import UPPER_BODY_50

SUFFIXES = (".pose", ".skels", ".json")
"""Tried in this order when a table names a recording without its suffix."""


def find_recording(folder: Path, name: str, *, suffixes: Sequence[str] = SUFFIXES) -> Path:
    """Give the file of a recording, named with or without its suffix.

    Args:
        folder: Where it is.
        name: Its path in the folder.
        suffixes: Those that it may have.

    Raises:
        FormatError: It is not there, or the name leads out of the folder.
    """
    check_inside(folder, name)
    path = Path(name)
    if path.suffix.lower() in suffixes:
        candidates = [folder / path]
    else:
        candidates = [folder / f"{name}{suffix}" for suffix in suffixes]
    for candidate in candidates:
        with suppress(OSError):  # a name that is too long is of no file
            if candidate.is_file():
                return candidate
    tried = ", ".join(candidate.name for candidate in candidates)
    raise FormatError(f"names {name[:200]!r}, but {folder} has no {tried[:400]}")


def check_inside(folder: Path, name: str) -> None:
    """Refuse a name that leads out of a folder.

    Raises:
        FormatError: It does, or is empty.
    """
    path = Path(name)
    if not name or path.is_absolute() or ".." in path.parts or "\0" in name:
        raise FormatError(f"a recording must be named by its path in {folder}, but is {name!r}")


def load_recording(path: Path) -> Pose:
    """Read one recording of our 50 joints.

    Raises:
        FormatError: It is damaged, of another skeleton, or a `.skels` file of several sequences.
    """
    pose = formats.read(path)
    if pose.skeleton != UPPER_BODY_50:
        raise FormatError(
            f"{path} must have the skeleton {UPPER_BODY_50.name}, but has {pose.skeleton.name}."
        )
    return pose
