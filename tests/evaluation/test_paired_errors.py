from __future__ import annotations

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.evaluation.paired_errors import compare_errors
from signloom.metrics.text import EditCounts


def clips(rate: float, *, seed: int, count: int = 83) -> list[EditCounts]:
    """Draw errors of clips of 1 to 9 tokens, whose lengths are always the same ones."""
    lengths = np.random.default_rng(0).integers(1, 10, count).tolist()
    rng = np.random.default_rng(seed)
    return [EditCounts(int(rng.binomial(one, rate)), 0, 0, one) for one in lengths]


def rate_of(counts: list[EditCounts]) -> float:
    return 100 * sum(one.errors for one in counts) / sum(one.length for one in counts)


def test_a_better_second_recogniser_has_a_negative_difference_and_a_small_p() -> None:
    first, second = clips(0.5, seed=1), clips(0.2, seed=2)
    found = compare_errors(first, second)
    assert found.difference.value == pytest.approx(rate_of(second) - rate_of(first))
    assert found.difference.low < found.difference.value < found.difference.high < 0
    assert found.p_value < 0.01


def test_exchanging_the_two_changes_the_sign_alone() -> None:
    first, second = clips(0.4, seed=1), clips(0.35, seed=2)
    one, other = compare_errors(first, second), compare_errors(second, first)
    assert one.difference.value == pytest.approx(-other.difference.value)
    assert one.difference.low == pytest.approx(-other.difference.high)
    assert one.p_value == pytest.approx(other.p_value)


def test_equal_recognisers_are_not_told_apart() -> None:
    first = clips(0.3, seed=1)
    same = compare_errors(first, first)
    assert (same.difference.value, same.p_value) == (0, 1)
    assert compare_errors(first, clips(0.3, seed=2)).p_value > 0.05


def test_the_draws_are_fixed_by_the_seed() -> None:
    first, second = clips(0.4, seed=1), clips(0.35, seed=2)
    assert compare_errors(first, second, seed=3) == compare_errors(first, second, seed=3)
    assert compare_errors(first, second, seed=3) != compare_errors(first, second, seed=4)


@pytest.mark.parametrize("second", [[], clips(0.3, seed=2, count=5), clips(0.3, seed=2)[::-1]])
def test_other_clips_are_refused(second: list[EditCounts]) -> None:
    with pytest.raises(ConfigError, match="must be compared on the same clips"):
        compare_errors(clips(0.3, seed=1), second)


def test_no_clips_and_clips_without_tokens_are_refused() -> None:
    for none in ([], [EditCounts(0, 0, 1, 0)]):
        with pytest.raises(ConfigError, match="one or more"):
            compare_errors(none, none)
