"""Shifts, passes and counts are what the masks imply."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.search.levels import least_shift, paper_passes, reach, schedule

NESTED = [(8, 4, 2, 1), (8, 4, 2), (2, 4, 8), (1, 1, 1), (4, 4), (6, 3)]
RAGGED = [(8, 6, 4, 2), (2, 4, 6, 8), (6, 4), (4, 6), (5, 3), (3, 7, 2)]


def composed(levels: tuple[int, ...], *, slots: int) -> np.ndarray:
    """Find by boolean matrix products which inputs each output depends on."""
    seen = np.eye(slots, dtype=bool)
    index = np.arange(slots)
    for level in reversed(levels):
        seen = seen @ (index[None] < ((index // level + 1) * level)[:, None])
    return seen


@pytest.mark.parametrize("levels", NESTED + RAGGED)
def test_reach_is_where_the_composed_masks_end(levels: tuple[int, ...]) -> None:
    seen = composed(levels, slots=120)[:60]
    last = seen.shape[1] - 1 - np.argmax(seen[:, ::-1], axis=1)
    np.testing.assert_array_equal(reach(levels, slots=60), last)


@pytest.mark.parametrize("levels", NESTED + RAGGED)
@pytest.mark.parametrize("length", [1, 7, 13, 97])
def test_each_pass_completes_what_its_masks_can_see(levels: tuple[int, ...], length: int) -> None:
    plan = schedule(levels)
    seen, known = composed(levels, slots=length), 0
    for first, slots, keep in plan.plan(length):
        assert first == known
        assert slots >= keep >= 1
        fed = np.arange(length) - plan.shift < known
        exact = ~(seen & ~fed).any(axis=1)
        assert exact[: first + keep].all()
        assert known + keep == length or not exact[known + keep]
        assert fed[: first + slots].all()
        known += keep
    assert known == length


@pytest.mark.parametrize("levels", NESTED)
def test_nested_levels_go_by_whole_blocks(levels: tuple[int, ...]) -> None:
    plan = schedule(levels)
    assert plan.shift == plan.block == least_shift(levels) == max(levels)
    assert {step[1:] for step in plan.plan(plan.block * 5)} == {(plan.block, plan.block)}


def test_the_order_of_nested_levels_does_not_matter() -> None:
    np.testing.assert_array_equal(reach((8, 4, 2), slots=24), reach((2, 8, 4), slots=24))


def test_a_smaller_shift_leaks() -> None:
    last = reach((8, 4, 2, 1), slots=32)
    leaking = last - 1 >= np.arange(32)
    assert leaking.sum() == 28


def test_the_fifth_row_of_the_paper_takes_4_8_and_12_frames_in_turn() -> None:
    plan = schedule((8, 6, 4, 2))
    assert plan.shift == 12
    assert [step.keep for step in plan.plan(61)] == [4, 8, 12, 4, 8, 12, 4, 9]
    assert [step.slots for step in plan.plan(24)] == [8, 12, 12]


def test_passes_are_the_ceiling_of_length_over_block() -> None:
    plan = schedule((8, 4, 2))
    assert [plan.passes(length) for length in (1, 7, 8, 9, 113)] == [1, 1, 1, 2, 15]


@pytest.mark.parametrize(
    ("levels", "kind", "passes", "calls"),
    [
        ((8, 4, 2, 1), "block", 15, 60),
        ((8, 4, 2, 1), "injected", 120, 225),
        ((8, 6, 4, 2), "block", 15, 60),
        ((1, 1, 1, 1), "block", 120, 480),
        ((1, 1, 1, 1), "injected", 120, 480),
        ((300, 300, 300, 300), "block", 1, 4),
        ((8, 8), "injected", 15, 30),
    ],
)
def test_120_frames_are_counted(levels: tuple, kind: str, passes: int, calls: int) -> None:
    plan = schedule(levels, kind=kind)
    assert (plan.passes(120), plan.layer_calls(120)) == (passes, calls)


def test_the_paper_s_own_speed_ups_follow_from_its_own_count() -> None:
    at = paper_passes((1, 1, 1, 1), 120)
    assert at / paper_passes((8, 4, 2, 1), 120) == 3.75
    assert at / paper_passes((8, 6, 4, 2), 120) == 5.0


@pytest.mark.parametrize("kind", ["block", "injected"])
@pytest.mark.parametrize("levels", [(0,), (), (-1, 4)])
def test_levels_that_are_no_groups_are_refused(levels: tuple[int, ...], kind: str) -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        schedule(levels, kind=kind)


def test_a_shift_longer_than_the_longest_sequence_is_refused() -> None:
    assert schedule((8, 6, 4, 2), max_frames=12).shift == 12
    with pytest.raises(ConfigError, match=r"shift of at most `max_frames`, 11, .* need 12"):
        schedule((8, 6, 4, 2), max_frames=11)


def test_levels_that_hardly_ever_begin_together_are_refused() -> None:
    with pytest.raises(ConfigError, match="every 716539"):
        schedule((97, 89, 83))


@pytest.mark.parametrize("levels", [(8, 6, 4, 2), (1, 2, 4)])
def test_injected_levels_that_do_not_divide_the_one_before_are_refused(levels: tuple) -> None:
    with pytest.raises(ConfigError, match="must divide the one before"):
        schedule(levels, kind="injected")
