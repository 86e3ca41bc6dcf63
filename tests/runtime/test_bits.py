"""Numbers come out of packed bytes as the nearest that their layout holds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from signloom.runtime.bits import Layout, pack, packed_size, rounded, unpack

SMALL = [
    Layout(exponent_bits=1, significand_bits=0, least_exponent=3),
    Layout(exponent_bits=2, significand_bits=0, least_exponent=-5),
    Layout(exponent_bits=1, significand_bits=4, least_exponent=0),
    Layout(exponent_bits=3, significand_bits=2, least_exponent=-7),
    Layout(exponent_bits=4, significand_bits=5, least_exponent=-126),
    Layout(exponent_bits=5, significand_bits=3, least_exponent=97),
]


def held_by(layout: Layout) -> np.ndarray:
    """Every number of a layout, in order, written out from its definition."""
    significands = 1 + np.arange(2**layout.significand_bits) / 2**layout.significand_bits
    exponents = layout.least_exponent + np.arange(2**layout.exponent_bits - 1)
    above = (2.0 ** exponents[:, None] * significands).reshape(-1)
    return np.concatenate([-above[::-1], [0.0], above]).astype(np.float32)


@pytest.mark.parametrize("layout", SMALL, ids=str)
def test_every_number_of_a_layout_survives(layout: Layout) -> None:
    numbers = held_by(layout)
    packed = pack(numbers, layout)
    assert len(packed) == math.ceil(numbers.size * layout.width / 8)
    np.testing.assert_array_equal(unpack(packed, numbers.size, layout), numbers)
    assert layout.greatest == numbers[-1]


@pytest.mark.parametrize("layout", SMALL, ids=str)
def test_any_number_becomes_the_nearest(layout: Layout) -> None:
    held = held_by(layout).astype(np.float64)
    span = np.random.default_rng(3).uniform(-1.2, 1.2, 2000) * layout.greatest
    fine = held[:, None] * (1 + np.linspace(-0.51, 0.51, 13))
    with np.errstate(over="ignore"):
        values = np.concatenate([span, fine.reshape(-1)]).astype(np.float32)
    values = values[np.isfinite(values)]
    distances = np.abs(values[:, None].astype(np.float64) - held)
    found = np.abs(values.astype(np.float64) - rounded(values, layout))
    np.testing.assert_array_equal(found, distances.min(axis=1))


def test_half_way_goes_to_the_even_significand_and_never_away_from_zero() -> None:
    layout = Layout(exponent_bits=2, significand_bits=2, least_exponent=0)
    values = np.array([1.125, 1.375, 1.625, 1.875, -1.125, 0.5, -0.5, 0.5001], np.float32)
    expected = np.array([1.0, 1.5, 1.5, 2.0, -1.0, 0.0, 0.0, 1.0], np.float32)
    np.testing.assert_array_equal(rounded(values, layout), expected)


def test_what_is_too_large_becomes_the_largest_and_zero_stays_zero() -> None:
    layout = Layout(exponent_bits=2, significand_bits=1, least_exponent=-1)
    values = np.array([[3.4e38, -7.0], [-0.0, 1e-45]], np.float32)
    found = rounded(values, layout)
    np.testing.assert_array_equal(found, np.array([[3.0, -3.0], [0.0, 0.0]], np.float32))
    assert not np.signbit(found[1]).any()


def test_31_bits_hold_a_float32_whole() -> None:
    layout = Layout(exponent_bits=7, significand_bits=23, least_exponent=-100)
    values = np.random.default_rng(5).normal(size=1013).astype(np.float32)
    np.testing.assert_array_equal(rounded(values, layout), values)


def test_a_row_longer_than_what_is_worked_on_at_once_is_one_row() -> None:
    layout = Layout(exponent_bits=3, significand_bits=1, least_exponent=-4)
    values = np.random.default_rng(7).normal(size=2**17 + 11).astype(np.float32)
    packed = pack(values, layout)
    assert len(packed) == packed_size(values.size, layout) == math.ceil(values.size * 5 / 8)
    head = unpack(packed[: packed_size(2**17, layout)], 2**17, layout)
    tail = rounded(values[2**17 :], layout)
    np.testing.assert_array_equal(unpack(packed, values.size, layout), np.append(head, tail))


def test_any_bytes_give_finite_numbers() -> None:
    layout = Layout(exponent_bits=5, significand_bits=2, least_exponent=97)
    assert np.isfinite(unpack(bytes(range(256)), 256, layout)).all()


def test_no_numbers_take_no_bytes() -> None:
    layout = SMALL[0]
    assert pack(np.zeros(0, np.float32), layout) == b""
    assert unpack(b"", 0, layout).shape == (0,)


def test_data_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot have 3 bytes"):
        unpack(bytes(3), 5, SMALL[0])


@pytest.mark.parametrize(
    "bits", [(0, 3, 0), (8, 3, -126), (3, 24, 0), (3, -1, 0), (3, 2, -127), (3, 2, 122)]
)
def test_a_layout_that_float32_cannot_hold_is_refused(bits: tuple[int, int, int]) -> None:
    exponent_bits, significand_bits, least_exponent = bits
    with pytest.raises(ValueError, match="must have 1 to 7"):
        Layout(
            exponent_bits=exponent_bits,
            significand_bits=significand_bits,
            least_exponent=least_exponent,
        )
