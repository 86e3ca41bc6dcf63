import numpy as np
import pytest

from signloom.evaluation.bootstrap import estimate_ratio


def test_the_figure_is_a_ratio_of_sums() -> None:
    assert estimate_ratio([1, 0, 2], [10, 20, 30]).value == pytest.approx(0.05)


def test_left_out_denominators_give_the_mean() -> None:
    assert estimate_ratio([1.0, 2.0, 6.0]).value == pytest.approx(3.0)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    values = np.random.default_rng(0).normal(size=50)
    assert estimate_ratio(values, seed=3) == estimate_ratio(values, seed=3)
    assert estimate_ratio(values, seed=3) != estimate_ratio(values, seed=4)


def test_the_interval_is_near_that_of_the_normal_distribution() -> None:
    values = np.random.default_rng(0).normal(size=400)
    found = estimate_ratio(values)
    half = 1.96 * values.std() / 20
    assert found.low == pytest.approx(values.mean() - half, abs=0.02)
    assert found.high == pytest.approx(values.mean() + half, abs=0.02)


def test_a_constant_has_no_width() -> None:
    found = estimate_ratio([0.5] * 7)
    assert (found.low, found.value, found.high) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize(("over", "under"), [([], 1.0), ([1.0, 2.0], [0.0, 0.0])])
def test_nothing_to_divide_by_is_undefined(over: list[float], under: list[float] | float) -> None:
    assert np.isnan(estimate_ratio(over, under).value)
