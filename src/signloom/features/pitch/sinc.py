"""The low-pass filter by which signals are read between their samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def windowed_sinc(
    times: NDArray[np.float64], *, cutoff: float, num_zeros: int
) -> NDArray[np.float64]:
    """Evaluate an ideal low-pass filter under a raised cosine.

    Args:
        times: Distances from the filter's centre, in seconds.
        cutoff: Highest frequency that passes, in Hz.
        num_zeros: Zeros of the sine on either side at which the window ends.

    Returns:
        Densities; times the period of the samples, they are weights. Zero outside the window.
    """
    reach = num_zeros / (2.0 * cutoff)
    window = 0.5 * (1.0 + np.cos(np.pi * times / reach))
    inside = np.abs(times) < reach
    weights: NDArray[np.float64] = 2.0 * cutoff * np.sinc(2.0 * cutoff * times) * window * inside
    return weights
