"""Where the pictures of a corpus are, whatever suffix its lists give them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from signloom.data.readers.recordings import find_recording
from signloom.errors import FormatError
from signloom.features.pictures import PICTURE_SUFFIXES


def find_picture(folder: Path, name: str) -> Path:
    """Give the picture of a name in a folder, with the suffix it has there.

    Args:
        folder: Where it is.
        name: Its path in the folder; of a picture that was written anew, with its old suffix.

    Raises:
        FormatError: It is not there, or the name leads out of the folder.
    """
    path = PurePosixPath(name)
    if path.suffix.lower() not in PICTURE_SUFFIXES:
        return find_recording(folder, name, suffixes=PICTURE_SUFFIXES)
    suffixes = tuple(dict.fromkeys((path.suffix, *PICTURE_SUFFIXES)))
    return find_recording(folder, str(path.with_suffix("")), suffixes=suffixes)


def first_folder(folder: Path, names: Sequence[str], *, noun: str) -> Path:
    """Give the first of some folders that is there.

    Raises:
        FormatError: None is.
    """
    for name in names:
        if (folder / name).is_dir():
            return folder / name
    raise FormatError(f"{folder} must hold {noun} in {' or '.join(names)}, but has none of these.")
