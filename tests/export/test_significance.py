"""Bits are as many as the spread leaves meaning in: no weight moves by more than its layer's σ."""

from __future__ import annotations

import math

import numpy as np
import pytest

from signloom.export.significance import aggregate, fixed_point_bits, layout_of
from signloom.runtime.bits import rounded

RNG = np.random.default_rng(11)
LAYERS = {
    "uniform": RNG.uniform(-0.044, 0.044, (37, 41)),
    "normal": RNG.normal(0, 0.3, (37, 41)),
    "long-tailed": RNG.standard_cauchy((37, 41)) * 0.01,
    "sparse": RNG.normal(0, 1e-4, (37, 41)) + (RNG.random((37, 41)) < 0.02),
    "equal": np.full((3, 5), -0.7),
    "about to carry": np.array([[1.9999, 1.0, 0.3, -0.001]]),
    "with zeros": np.array([[0.0, 0.25, -0.5, 0.0]]),
    "huge": np.array([[1.6e38, 1e30, 1.0]]),
    "minute": np.array([[1e-37, -3e-38, 0.0]]),
}


@pytest.mark.parametrize("share", [1e-4, 0.003, 0.04, 0.3, 0.9, 1.7, 60.0])
@pytest.mark.parametrize("kind", LAYERS)
def test_no_weight_is_rounded_by_more_than_the_spread(kind: str, share: float) -> None:
    means = LAYERS[kind].astype(np.float32)
    spread = share * float(np.abs(means).max())
    found = rounded(means, layout_of(means, spread)).astype(np.float64)
    assert np.abs(found - means).max() <= spread


@pytest.mark.parametrize("kind", LAYERS)
def test_one_bit_less_would_round_by_more_than_half_the_spread(kind: str) -> None:
    means = LAYERS[kind].astype(np.float32)
    greatest = float(np.abs(means).max())
    for share in np.geomspace(0.001, 0.3, 29):
        layout = layout_of(means, share * greatest)
        last_place = 2.0 ** (math.frexp(greatest)[1] - 1 - layout.significand_bits)
        assert 0.5 < last_place / 2 / (share * greatest) <= 1


def test_the_paper_counts_bits_after_the_point() -> None:
    # -log2(2 * 0.025) = 4.3; -log2(2 / 1024) = 9.
    assert fixed_point_bits(0.025) == 4
    assert fixed_point_bits(1 / 1024) == 8
    assert fixed_point_bits(1e-12) == 23
    assert fixed_point_bits(3.0) == 0


def test_a_layer_of_zeros_takes_two_bits() -> None:
    layout = layout_of(np.zeros((3, 5), np.float32), 0.1)
    assert layout.width == 2
    assert not rounded(np.zeros((3, 5), np.float32), layout).any()


def test_exponents_that_nothing_needs_are_not_paid_for() -> None:
    wide = layout_of(np.array([1.0, 0.5, 0.25, 0.13], np.float32), 0.01)
    narrow = layout_of(np.array([1.0, -1.0, 1.5], np.float32), 0.01)
    assert (wide.exponent_bits, narrow.exponent_bits) == (3, 1)
    assert wide.significand_bits == narrow.significand_bits


def test_the_smallest_spread_asks_for_more_bits_than_the_mean() -> None:
    spread = np.array([[0.001, 0.1], [0.1, 0.1]], np.float32)
    assert aggregate(spread, "min") == pytest.approx(0.001)
    assert aggregate(spread, "mean") == pytest.approx(0.07525)
    means = LAYERS["normal"].astype(np.float32)
    widths = [layout_of(means, aggregate(spread, way)).width for way in ("min", "mean")]
    assert widths[0] > widths[1] + 4
