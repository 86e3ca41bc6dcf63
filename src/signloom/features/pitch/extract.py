"""Pitch features of a sound; see the package for the method."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.errors import ConfigError
from signloom.features.pitch.correlation import (
    REACH,
    SHIFT,
    WINDOW,
    correlations,
    num_frames,
)
from signloom.features.pitch.downsampling import HELD_BACK, PITCH_RATE, downsample
from signloom.features.pitch.lags import candidate_lags, lag_filters
from signloom.features.pitch.processing import process
from signloom.features.pitch.tracking import track

BALLAST = 7000.0
"""Times the squared energy of a window of mean loudness."""


def pitch(samples: NDArray[np.float32], *, rate: int) -> NDArray[np.float32]:
    """Compute the features that Kaldi makes of the pitch (`process-kaldi-pitch-feats`).

    Windows of 25 ms begin every 10 ms; what is shorter than a window gives no frame. They are
    counted at 4 kHz, so that the last may lack a few samples.

    Args:
        samples: Sound of any loudness [samples], finite.
        rate: Samples a second, at least 4000.

    Returns:
        Voicing, normalised logarithm of the pitch and its change [frames, 3].

    Raises:
        ConfigError: The rate is too low.
    """
    return process(raw_pitch(samples, rate=rate))


def raw_pitch(samples: NDArray[np.float32], *, rate: int) -> NDArray[np.float32]:
    """Follow the pitch of a voice (`compute-kaldi-pitch-feats`).

    Frames without a voice have a pitch as well, one on the way between their neighbours'; their
    correlation tells them apart.

    Args:
        samples: Sound of any loudness [samples], finite.
        rate: Samples a second, at least 4000.

    Returns:
        Correlation from about -1 to 1 and pitch from 50 to 400 Hz [frames, 2].

    Raises:
        ConfigError: The rate is too low.
    """
    if rate < PITCH_RATE:
        raise ConfigError(f"`rate` must be at least {PITCH_RATE} for pitch, but is {rate}.")
    signal = downsample(samples, rate=rate)
    if not num_frames(signal):
        return np.zeros((0, 2), dtype=np.float32)
    blocks = track(correlations(signal, ballast=_ballast(signal)))
    states = np.concatenate(list(blocks))
    return np.stack([_likeness(signal, states), 1.0 / candidate_lags()[states]], axis=1)


def _ballast(signal: NDArray[np.float32]) -> NDArray[np.float64]:
    """Tell how much energy counts as quiet [frames].

    As in Kaldi, which filters as the sound comes in and so does not know its last samples until
    it has ended; only the frames that reach into them are compared with the whole.
    """
    known = len(signal) - HELD_BACK
    ends = np.arange(num_frames(signal)) * SHIFT + REACH
    power = np.where(ends <= known, _power(signal[:known]), _power(signal))
    ballast: NDArray[np.float64] = BALLAST * (power * WINDOW) ** 2
    return ballast


def _power(signal: NDArray[np.float32]) -> float:
    mean = float(signal.mean(dtype=np.float64))
    # Not `var`, which would make a copy in double precision.
    square = float(np.einsum("s,s->", signal, signal, dtype=np.float64)) / len(signal)
    return max(square - mean**2, 0.0)


def _likeness(signal: NDArray[np.float32], states: NDArray[np.intp]) -> NDArray[np.float32]:
    """Correlate anew, without ballast, at the lags of the path [frames]."""
    found = np.empty(len(states), dtype=np.float32)
    start = 0
    for block in correlations(signal, ballast=np.zeros(len(states))):
        end = start + len(block)
        found[start:end] = np.einsum("fl,lf->f", block, lag_filters()[:, states[start:end]])
        start = end
    return found
