"""GIF: an endless loop whose duration is the pose's.

Written frame by frame, because Pillow's own writer of animations keeps every picture in memory.
A frame holds only the part of the picture that changed; all share one palette.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from signloom.poses.captions import Caption
from signloom.poses.pose import Pose
from signloom.poses.render.film import film, film_size
from signloom.poses.render.palette import shades
from signloom.poses.retime import resample

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE_PX = 400
MAX_FPS = 50.0
"""Viewers slow down what is faster."""

COLORS = 128
TRAILER = b";"


def delays(frames: int, *, fps: float) -> list[int]:
    """Give each frame's delay in hundredths of a second; their sum is right to half of one.

    Example:
        >>> delays(6, fps=30.0)
        [3, 4, 3, 3, 4, 3]
    """
    ends = [round(100 * number / fps) for number in range(frames + 1)]
    return [after - before for before, after in pairwise(ends)]


def write(pose: Pose, path: Path, *, captions: Sequence[Caption] = ()) -> None:
    """Write an animation of the pose, at most 50 frames a second.

    Raises:
        FormatError: There are too many frames, or captions out of order.
    """
    if pose.fps > MAX_FPS:
        pose = resample(pose, MAX_FPS)
    pictures = film(pose, size=SIZE_PX, captions=captions)
    with path.open("wb") as file:
        shared = _write_header(file, size=film_size(SIZE_PX, captions))
        before = None
        for picture, delay in zip(pictures, delays(len(pose), fps=pose.fps), strict=True):
            _write_frame(file, picture, before, shared=shared, delay=delay)
            before = picture
        file.write(TRAILER)


def _write_header(file: BinaryIO, *, size: tuple[int, int]) -> Image:
    """Write size, palette and endless looping; give a picture that has the palette."""
    from PIL import Image

    colors = bytes(value for color in shades() for value in color)
    colors += colors[-3:] * (COLORS - len(shades()))
    table_size = COLORS.bit_length() - 2
    file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0x80 | 0x70 | table_size, 0, 0) + colors)
    file.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")
    shared = Image.new("P", (1, 1))
    shared.putpalette(colors)
    return shared


def _write_frame(
    file: BinaryIO, picture: Image, before: Image | None, *, shared: Image, delay: int
) -> None:
    from PIL import GifImagePlugin, Image, ImageChops

    box = ImageChops.difference(picture, before).getbbox() if before else (0, 0, *picture.size)
    box = box or (0, 0, 1, 1)
    part = picture.crop(box).quantize(palette=shared, dither=Image.Dither.NONE)
    file.write(b"!\xf9\x04" + struct.pack("<BHB", 0x04, delay, 0) + b"\0")
    for chunk in GifImagePlugin.getdata(part, box[:2]):
        file.write(chunk)
