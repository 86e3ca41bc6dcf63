"""How the pictures of a clip are cut and turned: the same for all of its frames, at random or not.

The field brings pictures to 256 pixels and cuts 224 of them, anywhere in training and from the
middle in testing. Joints are mirrored elsewhere (`poses.mirror`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.errors import ConfigError
from signloom.features.squares import middle, square

Film = NDArray[np.uint8]
"""Red, green and blue, uint8 [frames, height, width, 3]."""


def bring_to(film: Film, *, side_px: int) -> Film:
    """Bring the middle square of pictures to a size; what has it already is given back."""
    if film.shape[1:3] == (side_px, side_px):
        return film
    resized = np.empty((len(film), side_px, side_px, 3), dtype=np.uint8)
    for number, picture in enumerate(film):
        resized[number] = square(picture, side_px=side_px)
    return resized


def crop(film: Film, *, side_px: int, rng: np.random.Generator | None = None) -> Film:
    """Cut a square out of all pictures at one place.

    Args:
        film: Pictures, at least as large.
        side_px: Side of the square.
        rng: Chooses the place; without one it is the middle.

    Raises:
        ConfigError: The pictures are smaller.
    """
    height, width = film.shape[1:3]
    if side_px > min(height, width):
        raise ConfigError(
            f"A crop must be at most as large as the pictures, {width} x {height} pixels, but is "
            f"{side_px}. Bring them to a larger size, or crop less."
        )
    if rng is None:
        return middle(film, side_px=side_px)
    top, left = (int(rng.integers(size - side_px + 1)) for size in (height, width))
    return film[:, top : top + side_px, left : left + side_px]


def flip(film: Film) -> Film:
    """Turn pictures into their mirror images."""
    return film[:, :, ::-1]
