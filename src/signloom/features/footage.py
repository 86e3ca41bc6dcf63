"""What every kind of film becomes: pictures one after the other, at a constant frame rate.

A file says how large its pictures are before it has shown one, so that is checked before any is
decoded, and again on each that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError

Picture = NDArray[np.uint8]
"""One picture [height, width, 3] in red, green and blue."""

MAX_SIDE_PX = 8192
MAX_PIXELS = 2**25
"""Just above 7680 x 4320, the largest that cameras film."""
MAX_FRAMES = 200_000
"""Two hours and thirteen minutes at 25 frames a second."""
DEFAULT_FPS = 25.0


@dataclass
class Footage:
    """Pictures to be taken once, in order.

    Attributes:
        pictures: The pictures, all of one size; one that is shown longer comes again as the same
            array. Taking them raises FormatError where the film does not hold.
        fps: Frames per second, constant.
        num_frames: How many there will be, roughly; None if nobody knows.
        warnings: What is wrong but did not stop the reading; complete when all pictures are taken.
    """

    pictures: Iterator[Picture]
    fps: float
    num_frames: int | None = None
    warnings: list[str] = field(default_factory=list)


def check_size(width: int, height: int, *, name: str) -> None:
    """Refuse pictures that would take too much memory.

    Args:
        width: In pixels.
        height: In pixels.
        name: What messages call the film.

    Raises:
        FormatError: A side or the whole is too large, or there is nothing to see.
    """
    if width < 1 or height < 1:
        raise FormatError(
            f"{name} must have pictures of a size that can be shown, but says {width} x {height}."
        )
    if max(width, height) > MAX_SIDE_PX or width * height > MAX_PIXELS:
        raise FormatError(
            f"{name} must have pictures of at most {MAX_SIDE_PX} pixels a side and {MAX_PIXELS} in "
            f"all, but they are {width} x {height}. Scale it down."
        )
