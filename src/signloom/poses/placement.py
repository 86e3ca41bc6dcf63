"""Bring joints measured in any unit to where and how large a pose must be.

The neck comes to the origin of every frame, and one scale for all frames makes the median
distance between the shoulders, seen from the camera, 1. Where no neck was seen it is taken to be
the middle of the shoulders.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.skeleton import LEFT_SHOULDER, NECK, RIGHT_SHOULDER

Array = NDArray[np.float32]


def place(frames: Array, confidence: Array) -> tuple[Array, Array]:
    """Give joints in shoulder widths around the neck, and their confidence.

    Args:
        frames: Positions in any unit [frames, 50, 3].
        confidence: 0 (missing) to 1 [frames, 50].

    Raises:
        FormatError: The shoulders are never seen together, or are not apart.
    """
    frames, confidence = frames.copy(), confidence.copy()
    left, right = frames[:, LEFT_SHOULDER], frames[:, RIGHT_SHOULDER]
    both = np.minimum(confidence[:, LEFT_SHOULDER], confidence[:, RIGHT_SHOULDER])
    if not (both > 0).any():
        raise FormatError("both shoulders must be seen in some frame, but never are")
    width = float(np.median(np.linalg.norm((left - right)[both > 0, :2], axis=-1)))
    if not 1e-3 < width < 1e6:
        raise FormatError(f"the shoulders must be apart, but are {width:g} units wide")
    has_neck = confidence[:, NECK] > 0
    neck = np.where(has_neck[:, None], frames[:, NECK], (left + right) / 2)
    confidence[:, NECK] = np.where(has_neck, confidence[:, NECK], both)
    seen = confidence[:, NECK] > 0
    neck[~seen] = np.median(neck[seen], axis=0)
    frames[:, NECK] = neck
    return ((frames - neck[:, None]) / width).astype(np.float32), confidence
