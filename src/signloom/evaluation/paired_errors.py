"""Is one recogniser better than another? Paired bootstrap over clips (Bisani and Ney 2004).

The same clips are drawn, with replacement, for both, and the error rate of each draw is the sum of
errors over the sum of reference lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from signloom.errors import ConfigError
from signloom.evaluation.bootstrap import LEVEL, RESAMPLES, Estimate
from signloom.metrics.text import EditCounts


@dataclass(frozen=True)
class ErrorComparison:
    """Two recognisers on the same clips, in percent.

    Attributes:
        difference: Error rate of the second less that of the first, with its 95 % interval.
        p_value: How often chance alone would part two equal recognisers as far, two-sided.
    """

    difference: Estimate
    p_value: float


def compare_errors(
    first: Sequence[EditCounts], second: Sequence[EditCounts], *, seed: int = 0
) -> ErrorComparison:
    """Compare two recognisers.

    Args:
        first: Errors of one in each clip.
        second: Errors of the other in the same clips.
        seed: Fixes the draws.

    Raises:
        ConfigError: There is no clip, or the references are not the same.
    """
    lengths = [one.length for one in first]
    if not sum(lengths) or lengths != [one.length for one in second]:
        raise ConfigError(
            "Two recognisers must be compared on the same clips, one or more, but the references "
            f"of {len(first)} and {len(second)} clips differ."
        )
    apart = np.array([two.errors - one.errors for one, two in zip(first, second, strict=True)])
    drawn = np.random.default_rng(seed).integers(len(apart), size=(RESAMPLES, len(apart)))
    under = np.array(lengths)[drawn].sum(axis=1)
    samples = 100 * apart[drawn].sum(axis=1) / np.maximum(under, 1)
    value = 100 * float(apart.sum()) / sum(lengths)
    low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    exceeded = int(np.sum(np.abs(samples - samples.mean()) >= abs(value)))
    return ErrorComparison(
        Estimate(value, float(low), float(high)), (exceeded + 1) / (RESAMPLES + 1)
    )
