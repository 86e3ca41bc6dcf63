"""A signer at rest, for joints that a recording never shows: both arms hanging, hands relaxed.

The numbers are medians over the clips of a lexicon, rounded to .01 shoulder widths.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.poses.skeleton import LEFT_HAND, LEFT_WRIST, RIGHT_HAND, RIGHT_WRIST

_BODY = (
    *((0.0, -0.59), (0.0, 0.0)),
    *((0.5, 0.0), (0.63, 0.82), (0.58, 1.47)),
    *((-0.5, 0.0), (-0.63, 0.82), (-0.58, 1.47)),
)
_RIGHT_HAND = (
    (0.0, 0.0, 0.0),
    *((0.09, 0.06, -0.04), (0.15, 0.15, -0.07), (0.19, 0.23, -0.05), (0.21, 0.29, -0.01)),
    *((0.10, 0.25, -0.06), (0.18, 0.35, -0.03), (0.26, 0.35, 0.0), (0.32, 0.34, 0.02)),
    *((0.08, 0.25, -0.01), (0.18, 0.35, 0.02), (0.25, 0.31, 0.04), (0.30, 0.26, 0.03)),
    *((0.07, 0.24, 0.05), (0.17, 0.30, 0.08), (0.19, 0.24, 0.06), (0.17, 0.19, 0.03)),
    *((0.06, 0.21, 0.11), (0.14, 0.27, 0.12), (0.14, 0.24, 0.07), (0.12, 0.22, 0.03)),
)
MIRROR = (-1, 1, 1)


def rest_pose() -> NDArray[np.float32]:
    """Give the joints of a signer at rest, in shoulder widths, float32 [50, 3]."""
    frame = np.zeros((50, 3), dtype=np.float32)
    frame[:8, :2] = _BODY
    hand = np.array(_RIGHT_HAND, dtype=np.float32)
    frame[RIGHT_HAND] = hand + frame[RIGHT_WRIST]
    frame[LEFT_HAND] = hand * MIRROR + frame[LEFT_WRIST]
    return frame
