"""The square pictures that models look at: the middle of a frame, scaled, or of all of a film."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.features.footage import Picture


def square(picture: Picture, *, side_px: int) -> Picture:
    """Cut the middle square out of a picture and scale it.

    A signer stands in the middle and is higher than wide; what is cut away is beside, not above.

    Args:
        picture: uint8 [height, width, 3].
        side_px: Side of the result.

    Returns:
        uint8 [side, side, 3].
    """
    from PIL import Image

    height, width = picture.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    middle = Image.fromarray(picture[top : top + side, left : left + side])
    return np.asarray(middle.resize((side_px, side_px), Image.Resampling.BILINEAR))


def middle(film: NDArray[np.uint8], *, side_px: int) -> NDArray[np.uint8]:
    """Cut the middle out of all pictures of a film.

    Args:
        film: uint8 [frames, height, width, 3], at least as large.
        side_px: Side of the result.

    Example:
        >>> film = np.arange(50, dtype=np.uint8).reshape(1, 5, 5, 2)
        >>> middle(film, side_px=1).tolist()
        [[[[24, 25]]]]
    """
    top, left = ((size - side_px) // 2 for size in film.shape[1:3])
    return film[:, top : top + side_px, left : left + side_px]
