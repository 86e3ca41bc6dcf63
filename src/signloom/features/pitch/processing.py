"""From the pitch in Hz to features that a model reads well (`process-kaldi-pitch-feats`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CONTEXT = 75
"""Frames on either side over which the mean pitch is taken."""
VOICING_SCALE, PITCH_SCALE, CHANGE_SCALE = 2.0, 2.0, 10.0
_CHANGE_WEIGHTS = np.array([-2.0, -1.0, 0.0, 1.0, 2.0]) / 10.0


def process(raw: NDArray[np.float32]) -> NDArray[np.float32]:
    """Make features of the correlation and the pitch.

    Differs from Kaldi: no noise is added to the change of pitch.

    Args:
        raw: Correlation at the pitch and pitch in Hz [frames, 2].

    Returns:
        Voicing, logarithm of the pitch less its mean around, and its change [frames, 3].
    """
    if not len(raw):
        return np.zeros((0, 3), dtype=np.float32)
    likeness, log_pitch = raw[:, 0].astype(np.float64), np.log(raw[:, 1].astype(np.float64))
    likeness = np.clip(likeness, -1.0, 1.0)
    columns = (
        VOICING_SCALE * ((1.0001 - likeness) ** 0.15 - 1.0),
        PITCH_SCALE * (log_pitch - _mean_around(log_pitch, weights=voicing(likeness))),
        CHANGE_SCALE * np.convolve(np.pad(log_pitch, 2, "edge"), _CHANGE_WEIGHTS[::-1], "valid"),
    )
    return np.stack(columns, axis=1).astype(np.float32)


def voicing(likeness: NDArray[np.float64]) -> NDArray[np.float64]:
    """Estimate the probability of a voice by the formula that Kaldi's authors fitted.

    Args:
        likeness: Correlations from -1 to 1 [frames].
    """
    near = np.abs(likeness)
    odds = (
        -5.2
        + 5.4 * np.exp(7.5 * (near - 1.0))
        + 4.8 * near
        - 2.0 * np.exp(-10.0 * near)
        + 4.2 * np.exp(20.0 * (near - 1.0))
    )
    chances: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-odds))
    return chances


def _mean_around(
    values: NDArray[np.float64], *, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    places = np.arange(len(values))
    starts, ends = np.maximum(places - CONTEXT, 0), np.minimum(places + CONTEXT + 1, len(values))
    sums = np.concatenate(
        [np.zeros((2, 1)), np.cumsum([weights * values, weights], axis=1)], axis=1
    )
    weighted, total = sums[:, ends] - sums[:, starts]
    mean: NDArray[np.float64] = weighted / total
    return mean
