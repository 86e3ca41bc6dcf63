"""Movement of least jerk: how a joint goes from one place to another by itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def minimum_jerk(times: NDArray[np.float64]) -> NDArray[np.float32]:
    """Give the part of the way covered at times 0 to 1: 10 t³ − 15 t⁴ + 6 t⁵.

    Example:
        >>> minimum_jerk(np.array([0.0, 0.5, 1.0])).tolist()
        [0.0, 0.5, 1.0]
    """
    return (times**3 * (10 - 15 * times + 6 * times**2)).astype(np.float32)


def between(
    before: NDArray[np.float32], after: NDArray[np.float32], count: int
) -> NDArray[np.float32]:
    """Give `count` frames between two frames [joints, 3], both left out [count, joints, 3]."""
    share = minimum_jerk(np.arange(1, count + 1) / (count + 1))[:, None, None]
    return before + share * (after - before)
