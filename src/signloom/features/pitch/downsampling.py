"""Sound at the low rate at which pitch is looked for, in blocks of bounded memory."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from signloom.features.pitch.sinc import windowed_sinc

PITCH_RATE = 4000
"""Samples a second of the signal that is correlated with itself."""
CUTOFF_HZ = 1000.0
NUM_ZEROS = 1
HELD_BACK = round(PITCH_RATE * NUM_ZEROS / (2.0 * CUTOFF_HZ))
"""Samples at the end that also hang on what would follow."""
_BLOCK = 1 << 12


def downsample(samples: NDArray[np.float32], *, rate: int) -> NDArray[np.float32]:
    """Filter a sound and sample it at 4 kHz, taking it to be silent before and after.

    Args:
        samples: Sound [samples].
        rate: Samples a second, any whole number from 4000.

    Returns:
        As many samples as begin within the sound.
    """
    count = -(-len(samples) * PITCH_RATE // rate)
    filters = _filters(rate)
    width = filters.shape[1]
    found = np.empty(count, dtype=np.float32)
    for start in range(0, count, _BLOCK):
        places = np.arange(start, min(start + _BLOCK, count))
        firsts = places * rate // PITCH_RATE - width // 2 + 1
        piece = _cut(samples, int(firsts[0]), int(firsts[-1]) + width)
        windows = np.lib.stride_tricks.sliding_window_view(piece, width)[firsts - firsts[0]]
        found[places] = np.einsum("pw,pw->p", windows, filters[places % len(filters)])
    return found


def _filters(rate: int) -> NDArray[np.float64]:
    """Give the weights of the samples around each place within a sample that can occur."""
    places = np.arange(PITCH_RATE // math.gcd(rate, PITCH_RATE))
    reach = math.ceil(rate * NUM_ZEROS / (2.0 * CUTOFF_HZ))
    samples = (places * rate // PITCH_RATE)[:, None] + np.arange(-reach, reach + 2)
    times = samples / rate - (places / PITCH_RATE)[:, None]
    return windowed_sinc(times, cutoff=CUTOFF_HZ, num_zeros=NUM_ZEROS) / rate


def _cut(samples: NDArray[np.float32], start: int, end: int) -> NDArray[np.float64]:
    piece = np.zeros(end - start)
    inside = samples[max(start, 0) : max(end, 0)]
    piece[max(-start, 0) :][: len(inside)] = inside
    return piece
