"""Films as folders of pictures, one a frame, in the order of the numbers in their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from signloom.errors import FormatError
from signloom.features.bounded import check_plain
from signloom.features.footage import DEFAULT_FPS, MAX_FRAMES, Footage, Picture, check_size
from signloom.features.video import VIDEO_SUFFIXES

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg")
_POSES = (".pose", ".skels", ".pt")


def is_frames_folder(path: Path) -> bool:
    """Say whether this is a folder of pictures; one that holds films or poses too is none."""
    if not path.is_dir():
        return False
    suffixes = {inside.suffix.lower() for inside in path.iterdir() if inside.name[0] != "."}
    return bool(suffixes & {*PICTURE_SUFFIXES}) and not suffixes & {*VIDEO_SUFFIXES, *_POSES}


def open_frames(folder: Path, *, fps: float | None = None) -> Footage:
    """List the pictures of a folder.

    Args:
        folder: Where they are.
        fps: Frames per second at which they were taken; 25 if not said, with a warning.

    Raises:
        FormatError: There is none, or there are too many. Taking the pictures raises it where one
            is damaged, too large or of another size than the first.
    """
    try:
        paths = sorted((path for path in folder.iterdir() if _is_picture(path)), key=_natural)
    except OSError as error:
        raise FormatError(f"{folder} cannot be read: {error.strerror}.") from error
    if not 1 <= len(paths) <= MAX_FRAMES:
        raise FormatError(
            f"{folder} must hold 1 to {MAX_FRAMES} pictures ({' '.join(PICTURE_SUFFIXES)}), but "
            f"holds {len(paths)}."
        )
    warnings = []
    if fps is None:
        fps = DEFAULT_FPS
        warnings.append(f"{folder} does not say its frame rate; {fps:g} is taken.")
    return Footage(_pictures(paths), fps, len(paths), warnings)


def _pictures(paths: list[Path]) -> Iterator[Picture]:
    shape = None
    for path in paths:
        picture = read_picture(path)
        if shape is not None and picture.shape != shape:
            raise FormatError(
                f"{path} must be as large as the pictures before it, {shape[1]} x {shape[0]}, but "
                f"is {picture.shape[1]} x {picture.shape[0]}."
            )
        shape = picture.shape
        yield picture


def read_picture(path: Path) -> Picture:
    """Read a picture as it is to be seen, its size checked before memory is taken.

    Raises:
        FormatError: It is damaged, too large or neither PNG nor JPEG.
    """
    from PIL import Image, ImageOps

    try:
        check_plain(path)
        with Image.open(path, formats=("PNG", "JPEG")) as image:
            check_size(*image.size, name=str(path))
            return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    except FormatError as error:
        named = str(error) if str(path) in str(error) else f"{path} cannot be read: {error}."
        raise FormatError(named) from error
    except Exception as error:  # Pillow raises whatever the damage of a picture leads to
        raise FormatError(f"{path} must be a PNG or JPEG picture, but is damaged.") from error


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".")


def _natural(path: Path) -> list[tuple[int, str]]:
    """Give a key by which numbers in names are compared as numbers."""
    parts = re.split(r"([0-9]{1,18})", path.name)
    return [(int(part), "") if place % 2 else (0, part) for place, part in enumerate(parts)]
