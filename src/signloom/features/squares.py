"""The square pictures that models look at: the middle of a frame, scaled."""

from __future__ import annotations

import numpy as np

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
