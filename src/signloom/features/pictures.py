"""Films as folders of pictures: counted and measured before any of them is decoded.

The pictures of a folder are its frames in the order of the numbers in their names, so that
`frame10.png` comes after `frame9.png`.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.features.frames import MAX_FRAMES
from signloom.poses.formats.plain import read_plain

if TYPE_CHECKING:
    from PIL.Image import Image

SUFFIXES = (".png", ".jpg", ".jpeg")
MAX_SIDE_PX = 4096
MAX_FILE_BYTES = 64 * 2**20
MAX_BYTES = 2**30
"""Most bytes of a film in memory: 3 minutes of 256 pixels at 30 frames per second."""

_FORMATS = ("PNG", "JPEG")


def list_pictures(folder: Path) -> tuple[Path, ...]:
    """Give the pictures of a folder in their order.

    Raises:
        FormatError: It cannot be read, or has no picture or too many.
    """
    try:
        with os.scandir(folder) as found:
            names = [entry.name for entry in found if entry.name.lower().endswith(SUFFIXES)]
    except OSError as error:
        raise FormatError(f"{folder} cannot be read: {error.strerror}.") from error
    if not names:
        raise FormatError(f"{folder} must hold pictures ({' '.join(SUFFIXES)}), but holds none.")
    if len(names) > MAX_FRAMES:
        raise FormatError(
            f"{folder} must hold at most {MAX_FRAMES} pictures, but holds {len(names)}. "
            "Cut the film into utterances."
        )
    return tuple(folder / name for name in sorted(names, key=_natural))


def read_pictures(paths: Sequence[Path], *, side_px: int = 0) -> NDArray[np.uint8]:
    """Decode the frames of a film.

    Args:
        paths: Its pictures, at least one, all of one size.
        side_px: Width and height that each is brought to while it is read; 0 keeps the size.

    Returns:
        Red, green and blue, uint8 [frames, height, width, 3].

    Raises:
        FormatError: A picture cannot be read or is damaged or of another size, or the film would
            take more than 1 GiB.
    """
    film: NDArray[np.uint8] | None = None
    size = (0, 0)
    for number, path in enumerate(paths):
        picture = _open(path)
        if film is None:
            size = picture.size
            width, height = (side_px, side_px) if side_px else size
            film = _allocate(paths, (height, width))
        if picture.size != size:
            raise FormatError(
                f"{path} must have {size[0]} x {size[1]} pixels as {paths[0].name} has, "
                f"but has {picture.size[0]} x {picture.size[1]}."
            )
        film[number] = _decode(picture, path, side_px=side_px)
    if film is None:
        raise FormatError("A film must have at least one picture, but has none.")
    return film


def _natural(name: str) -> list[tuple[int, str]]:
    """Give a key by which numbers in names are compared as numbers."""
    parts = re.split(r"([0-9]{1,18})", name)
    return [(int(part), "") if place % 2 else (0, part) for place, part in enumerate(parts)]


def _allocate(paths: Sequence[Path], size: tuple[int, int]) -> NDArray[np.uint8]:
    needed = len(paths) * size[0] * size[1] * 3
    if needed > MAX_BYTES:
        raise FormatError(
            f"The film in {paths[0].parent} must take at most {MAX_BYTES:,} bytes, but takes "
            f"{needed:,}. Read it at a smaller size, or cut it into utterances."
        )
    return np.empty((len(paths), *size, 3), dtype=np.uint8)


def _open(path: Path) -> Image:
    """Read a file and the size that it claims; nothing is decoded yet."""
    from PIL import Image

    try:
        data = read_plain(path, most=MAX_FILE_BYTES)
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        picture = Image.open(io.BytesIO(data), formats=_FORMATS)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise FormatError(f"{path} must be a picture, PNG or JPEG, but is none.") from error
    if max(picture.size) > MAX_SIDE_PX:
        raise FormatError(
            f"{path} must have at most {MAX_SIDE_PX} pixels a side, "
            f"but has {picture.size[0]} x {picture.size[1]}."
        )
    return picture


def _decode(picture: Image, path: Path, *, side_px: int) -> NDArray[np.uint8]:
    from PIL import Image

    try:
        plain = picture.convert("RGB")
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise FormatError(f"{path} must be a whole picture, but it is damaged.") from error
    if side_px and plain.size != (side_px, side_px):
        plain = plain.resize((side_px, side_px), Image.Resampling.BILINEAR)
    return np.asarray(plain)
