"""Bootstrap confidence intervals over words: resample the words, take the figure again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = Sequence[float] | Sequence[int] | NDArray[np.float64]
RESAMPLES = 2000
LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A figure and the interval that it is known to.

    Attributes:
        value: The figure over all words.
        low: Lower end of the 95 % percentile interval.
        high: Upper end.
    """

    value: float
    low: float
    high: float


def estimate_ratio(
    numerators: Numbers, denominators: Numbers | float = 1.0, *, seed: int = 0
) -> Estimate:
    """Give sum over sum, such as errors over letters, with its interval over words.

    Args:
        numerators: One number a word.
        denominators: One number a word; left out, the figure is a mean.
        seed: Fixes the resampling.

    Returns:
        The figure; NaN throughout if there are no words or the denominators sum to 0.
    """
    over = np.asarray(numerators, dtype=np.float64)
    under = np.broadcast_to(np.asarray(denominators, dtype=np.float64), over.shape)
    if not len(over) or not under.sum():
        return Estimate(float("nan"), float("nan"), float("nan"))
    drawn = np.random.default_rng(seed).integers(len(over), size=(RESAMPLES, len(over)))
    sums = under[drawn].sum(axis=1)
    ratios = over[drawn].sum(axis=1)[sums != 0] / sums[sums != 0]
    low, high = np.quantile(ratios, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(over.sum() / under.sum()), float(low), float(high))
