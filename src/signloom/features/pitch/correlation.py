"""How alike a frame is to itself some time later (the normalised cross-correlation, NCCF)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from signloom.features.pitch.downsampling import PITCH_RATE
from signloom.features.pitch.lags import FIRST_LAG, LAST_LAG

WINDOW = PITCH_RATE // 40
SHIFT = PITCH_RATE // 100
"""25 ms and 10 ms, in samples at 4 kHz."""
REACH = WINDOW + LAST_LAG
"""Samples that a frame is correlated with."""
_BLOCK = 500


def num_frames(signal: NDArray[np.float32]) -> int:
    """Count the windows that a signal at 4 kHz fills."""
    return max(0, (len(signal) - WINDOW) // SHIFT + 1)


def correlations(
    signal: NDArray[np.float32], *, ballast: NDArray[np.float64]
) -> Iterator[NDArray[np.float64]]:
    """Correlate each frame with the signal after it, block by block.

    Past its end, the signal is taken to be silent.

    Args:
        signal: Sound at 4 kHz.
        ballast: What is added to the product of both energies, so that quiet frames correlate
            less [frames].

    Yields:
        Values from -1 to 1 [frames, lags] at the lags from `FIRST_LAG` to `LAST_LAG`; 0 where
        there is no energy.
    """
    for start in range(0, len(ballast), _BLOCK):
        ballasts = ballast[start : start + _BLOCK]
        length = (len(ballasts) - 1) * SHIFT + REACH
        piece = signal[start * SHIFT :][:length].astype(np.float64)
        piece = np.pad(piece, (0, length - len(piece)))
        frames = np.lib.stride_tricks.sliding_window_view(piece, REACH)[::SHIFT]
        yield _correlate(frames, ballasts)


def _correlate(frames: NDArray[np.float64], ballasts: NDArray[np.float64]) -> NDArray[np.float64]:
    frames = frames - frames[:, :WINDOW].mean(axis=1, keepdims=True)
    later = np.lib.stride_tricks.sliding_window_view(frames, WINDOW, axis=1)
    products = np.einsum("fw,flw->fl", frames[:, :WINDOW], later[:, FIRST_LAG:])
    energies = np.einsum("flw,flw->fl", later, later)
    norms = np.sqrt(energies[:, :1] * energies[:, FIRST_LAG:] + ballasts[:, None])
    found: NDArray[np.float64] = np.zeros_like(products)
    np.divide(products, norms, out=found, where=norms > 0.0)
    return found
