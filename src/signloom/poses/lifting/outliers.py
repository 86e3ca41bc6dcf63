"""Joints where no joint can be: discarded before anything is estimated from them.

Two tests of a joint, each relative to the joint it hangs on, so that a moving arm takes its hand
along:

* its bone is far longer in the image than the template and the sequence's own median allow;
* it leaves the median of five frames by more than one and a half bones, as if the bone turned by
  a right angle, and by more than five robust deviations of its sequence. This catches jumps there
  and back within two frames. Fast movement passes: the median of a steady movement is its middle.

A test says nothing where the joint that it hangs on was discarded itself. (Hampel's identifier;
PSAT-RS, section 4.2, discards "abnormal joints" without saying which.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.poses.lifting.bones import CHILDREN, PARENTS, template
from signloom.poses.skeleton import LEFT_SHOULDER, RIGHT_SHOULDER

LONGEST = 1.7
"""Times the longer of the template's bone and the sequence's median."""
MOST_OF_TEMPLATE = 2.0
"""How far the sequence's median counts: the hands of a signer close to the camera seem large."""
FURTHEST = 1.5
"""Bone lengths away from the median of the neighbourhood."""
WINDOW = 5
DEVIATIONS = 5.0
MAD_TO_DEVIATION = 1.4826


def find_outliers(joints: NDArray[np.float64], seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Find joints that were seen where they cannot be.

    Args:
        joints: Positions in the image, shoulder widths [frames, 50, 2].
        seen: Which of them were [frames, 50].

    Returns:
        True where a joint is to be discarded [frames, 50].
    """
    outliers = np.zeros_like(seen)
    usual = template() * _shoulder_width(joints, seen)
    for bone, (parent, child) in enumerate(zip(PARENTS, CHILDREN, strict=True)):
        tested = np.flatnonzero(seen[:, child] & seen[:, parent] & ~outliers[:, parent])
        if len(tested) == 0:
            continue
        vectors = joints[tested, child] - joints[tested, parent]
        flat = np.linalg.norm(vectors, axis=-1)
        own = min(float(np.median(flat)), MOST_OF_TEMPLATE * usual[bone])
        too_long = flat > LONGEST * max(usual[bone], own)
        outliers[tested, child] = too_long | _jumps(vectors, least=FURTHEST * usual[bone])
    return outliers


def _jumps(vectors: NDArray[np.float64], *, least: float) -> NDArray[np.bool_]:
    """Find vectors [frames, 2] far from the median of their neighbourhood."""
    edge = WINDOW // 2
    padded = np.pad(vectors, ((edge, edge), (0, 0)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, WINDOW, axis=0)
    away = np.linalg.norm(vectors - np.median(windows, axis=-1), axis=-1)
    most = max(least, DEVIATIONS * MAD_TO_DEVIATION * float(np.median(away)))
    return np.asarray(away > most)


def _shoulder_width(joints: NDArray[np.float64], seen: NDArray[np.bool_]) -> float:
    """Give the median width; 1, as the unit says, if the shoulders were never seen together."""
    both = seen[:, LEFT_SHOULDER] & seen[:, RIGHT_SHOULDER]
    if not both.any():
        return 1.0
    across = joints[both, LEFT_SHOULDER] - joints[both, RIGHT_SHOULDER]
    return float(np.median(np.linalg.norm(across, axis=-1)))
