"""How many bits of a layer's weights mean anything, by what its posterior does not know.

A weight with posterior standard deviation σ may as well be anything within σ, so digits that change
it by less are noise (Louizos et al. 2017, *Bayesian Compression for Deep Learning*). The stochastic
transformer counts them a layer: `fixed_point_bits`, for numbers whose last place is the same
everywhere. A float's last place moves with its exponent, so `layout_of` counts from the exponent of
the layer's largest weight, and no weight is rounded by more than σ.

Differs from the paper: it speaks of the variance, but arrives at its bits with the standard
deviation only; and it bounds exponents by a confidence interval that it does not give, where the
exponents that are there are taken.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from signloom.runtime.bits import (
    GREATEST_EXPONENT,
    LEAST_EXPONENT,
    MAX_SIGNIFICAND_BITS,
    Layout,
)
from signloom.runtime.stored_tensor import Floats

Aggregation = Literal["min", "mean"]
AGGREGATIONS: tuple[Aggregation, ...] = ("min", "mean")

FLUSHED_BELOW = 0.5
"""Part of the last kept place of a layer's largest weight, below which weights need no exponent of
their own: as zeros they are off by no more than the largest may be rounded."""


def aggregate(spread: Floats, aggregation: Aggregation) -> float:
    """Return the one standard deviation that stands for a layer."""
    return float(spread.min() if aggregation == "min" else spread.mean(dtype=np.float64))


def fixed_point_bits(spread: float) -> int:
    """Count bits after the point as the paper does, clip(⌈-log2(2σ)⌉ - 1, 0, 23).

    Example:
        >>> [fixed_point_bits(spread) for spread in (0.7, 0.025, 0.001)]
        [0, 4, 8]
    """
    return min(MAX_SIGNIFICAND_BITS, max(0, math.ceil(-math.log2(2 * spread)) - 1))


def layout_of(means: Floats, spread: float) -> Layout:
    """Choose the bits of a layer's weights.

    Significand bits are max(0, ⌈Emax - log2 σ⌉ - 1), with Emax the exponent of the largest weight:
    then half of its last place is at most σ. Exponent bits are ⌈log2(Emax - Emin + 2)⌉ of the
    exponents that are left when what is far below the last place is flushed to zero. Codes that
    this leaves over go to smaller exponents, so no more is flushed than has to be.

    Args:
        means: The layer's weights.
        spread: Its standard deviation σ.

    Example:
        >>> layout_of(np.float32([0.9, -0.2, 0.001]), 0.1)
        Layout(exponent_bits=2, significand_bits=2, least_exponent=-3)
    """
    sizes = np.abs(means)
    greatest = float(sizes.max())
    if greatest == 0:
        return Layout(exponent_bits=1, significand_bits=0, least_exponent=0)
    top = _exponent(greatest)
    wanted = math.ceil(top - math.log2(spread)) - 1
    significand_bits = min(MAX_SIGNIFICAND_BITS, max(0, wanted))
    place = 2.0 ** (top - significand_bits)
    least = _exponent(float(sizes[sizes >= FLUSHED_BELOW * place].min()))
    # Rounding may carry the largest into the next exponent, which must then be there.
    top = min(GREATEST_EXPONENT, _exponent(round(greatest / place) * place))
    exponent_bits = math.ceil(math.log2(top - least + 2))
    return Layout(
        exponent_bits=exponent_bits,
        significand_bits=significand_bits,
        least_exponent=max(LEAST_EXPONENT, top - 2**exponent_bits + 2),
    )


def _exponent(value: float) -> int:
    """Give the e of value = m 2^e, 1 <= m < 2."""
    return math.frexp(value)[1] - 1
