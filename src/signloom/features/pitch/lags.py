"""The lags that pitch can have: few are measured, many are read between them."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from signloom.features.pitch.downsampling import PITCH_RATE
from signloom.features.pitch.sinc import windowed_sinc

MIN_HZ, MAX_HZ = 50.0, 400.0
STEP = 0.005
"""How much longer each lag is than the one before."""
NUM_ZEROS = 5
_MARGIN = NUM_ZEROS / (2.0 * PITCH_RATE)
FIRST_LAG = math.ceil(PITCH_RATE * (1.0 / MAX_HZ - _MARGIN))
LAST_LAG = math.floor(PITCH_RATE * (1.0 / MIN_HZ + _MARGIN))
"""Lags that are measured, in samples at 4 kHz, ends included."""


@cache
def candidate_lags() -> NDArray[np.float32]:
    """Give the lags among which the pitch is chosen, in seconds [states], shortest first.

    In single precision, in which Kaldi counts them up.
    """
    found = []
    lag = np.float32(1.0 / MAX_HZ)
    while lag <= np.float32(1.0 / MIN_HZ):
        found.append(lag)
        lag = np.float32(float(lag) * (1.0 + float(np.float32(STEP))))
    return np.array(found)


@cache
def lag_filters() -> NDArray[np.float64]:
    """Give the weights by which measured correlations are read at each lag [lags, states]."""
    measured = np.arange(FIRST_LAG, LAST_LAG + 1) / PITCH_RATE
    times = candidate_lags().astype(np.float64) - measured[:, None]
    return windowed_sinc(times, cutoff=PITCH_RATE / 2.0, num_zeros=NUM_ZEROS) / PITCH_RATE
