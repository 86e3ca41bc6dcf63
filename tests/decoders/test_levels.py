import numpy as np
import pytest

from signloom.decoders.levels import least_shift, reach, schedule, step_pattern
from signloom.errors import ConfigError


@pytest.mark.parametrize("levels", [(8, 4, 2, 1), (8, 4, 2), (2, 4, 8), (1, 1, 1), (4, 4), (6, 3)])
def test_the_plan_is_what_the_masks_imply(levels: tuple[int, ...]) -> None:
    plan = schedule(levels)
    assert plan.shift == least_shift(levels)
    assert set(step_pattern(levels, frames=plan.block * 5)) == {plan.block}


def test_the_order_of_nested_levels_does_not_matter() -> None:
    np.testing.assert_array_equal(reach((8, 4, 2), slots=24), reach((2, 8, 4), slots=24))


def test_a_smaller_shift_leaks() -> None:
    last = reach((8, 4, 2, 1), slots=32)
    leaking = last - 1 >= np.arange(32)
    assert leaking.sum() == 28


def test_a_pyramid_that_is_not_nested_has_unequal_steps() -> None:
    assert least_shift((8, 6, 4, 2)) == 12
    assert set(step_pattern((8, 6, 4, 2), frames=96)) == {4, 8, 12}


def test_passes_are_the_ceiling_of_length_over_block() -> None:
    plan = schedule((8, 4, 2))
    assert [plan.passes(length) for length in (1, 7, 8, 9, 113)] == [1, 1, 1, 2, 15]


@pytest.mark.parametrize("levels", [(8, 6, 4, 2), (0,), (), (-1, 4)])
def test_what_cannot_be_exact_is_refused(levels: tuple[int, ...]) -> None:
    with pytest.raises(ConfigError, match="levels"):
        schedule(levels)
