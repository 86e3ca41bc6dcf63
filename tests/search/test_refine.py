"""Refinement: where it stops, what it gives, and the cycles that adaptive termination misses."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.search.refine import RefineOptions, refine

SURE, LESS = 0.9, 0.6


class Rewriter:
    """Rewrites whole transcripts by a table: from one to the next, and how sure it is.

    Attributes:
        passes: Rows of each pass so far.
    """

    num_tokens = 10

    def __init__(self, *tables: Mapping[tuple[int, ...], tuple[tuple[int, ...], float]]) -> None:
        self.tables = tables
        self.passes: list[int] = []

    def predict(self, tokens: np.ndarray, lengths: np.ndarray, state: np.ndarray) -> np.ndarray:
        assert len(tokens) == len(lengths) == len(state)
        self.passes.append(len(tokens))
        logits = np.full((len(self.tables), *tokens.shape, self.num_tokens), -20.0, np.float32)
        for reader, table in enumerate(self.tables):
            for row, length in enumerate(lengths):
                new, sure = table[tuple(tokens[row, :length].tolist())]
                others = np.log((1 - sure) / (self.num_tokens - 1))
                logits[reader, row, :length] = others
                logits[reader, row, np.arange(length), list(new)] = np.log(sure)
        return logits

    def take(self, state: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return state[rows]


def run(rewriter: Rewriter, *firsts: tuple[int, ...], **options):
    state = np.arange(len(firsts))
    return refine(rewriter, state, firsts, options=RefineOptions(**options))


SETTLES = {(1, 2): ((1, 3), LESS), (1, 3): ((4, 3), LESS), (4, 3): ((4, 3), SURE)}
FLIPS = {
    (5, 6): ((7, 6), LESS),
    (7, 6): ((7, 8), SURE),
    (7, 8): ((9, 8), LESS),
    (9, 8): ((7, 6), LESS),
}


@pytest.mark.parametrize("stop", ["adaptive", "cycle"])
def test_it_stops_at_the_first_pass_that_changes_nothing(stop: str) -> None:
    rewriter = Rewriter(SETTLES)
    [found] = run(rewriter, (1, 2), stop=stop)
    assert (found.ids, found.iterations, found.is_cycle) == ((4, 3), 3, False)
    assert rewriter.passes == [1, 1, 1]
    assert np.exp(found.log_probs) == pytest.approx([SURE, SURE], abs=1e-6)


def test_never_stopping_runs_every_pass_to_the_same_end() -> None:
    [found] = run(Rewriter(SETTLES), (1, 2), stop="never", iterations=7)
    assert (found.ids, found.iterations) == ((4, 3), 7)


def test_adaptive_termination_never_sees_a_cycle() -> None:
    rewriter = Rewriter(FLIPS)
    [found] = run(rewriter, (5, 6), stop="adaptive", iterations=9)
    assert (found.iterations, found.is_cycle, rewriter.passes) == (9, False, [1] * 9)


def test_a_cycle_ends_at_its_first_repeat_with_the_member_whose_pass_was_surest() -> None:
    rewriter = Rewriter(FLIPS)
    [found] = run(rewriter, (5, 6), stop="cycle", iterations=9)
    # 5 6 → 7 6 → 7 8 → 9 8 → 7 6, which was there before.
    assert (found.ids, found.iterations, found.is_cycle) == ((7, 8), 4, True)
    assert rewriter.passes == [1] * 4


def test_a_member_of_the_way_to_a_cycle_is_not_chosen() -> None:
    table = FLIPS | {(5, 6): ((7, 6), 0.99)}
    [found] = run(Rewriter(table), (5, 6), stop="cycle")
    assert found.ids == (7, 8)


def test_rows_that_have_ended_leave_the_batch_and_each_has_its_own_end() -> None:
    rewriter = Rewriter(SETTLES | FLIPS)
    found = run(rewriter, (4, 3), (), (5, 6), (1, 2), stop="cycle")
    assert [one.ids for one in found] == [(4, 3), (), (7, 8), (4, 3)]
    assert [one.iterations for one in found] == [1, 0, 4, 3]
    assert rewriter.passes == [3, 2, 2, 1]


def test_without_a_pass_the_first_transcript_stays() -> None:
    rewriter = Rewriter(SETTLES)
    [found] = run(rewriter, (1, 2), iterations=0)
    assert (found.ids, found.log_probs, rewriter.passes) == ((1, 2), (), [])


def test_of_several_readers_the_surer_one_is_heeded() -> None:
    left = {(1, 2): ((1, 3), LESS), (4, 2): ((4, 2), SURE)}
    right = {(1, 2): ((4, 2), SURE), (4, 2): ((4, 3), LESS)}
    [found] = run(Rewriter(left, right), (1, 2))
    assert (found.ids, found.iterations) == ((4, 2), 2)


def test_banned_tokens_are_never_written() -> None:
    table = {(1,): ((3,), SURE), (0,): ((0,), SURE)}
    logits = Rewriter(table).predict(np.array([[1]]), np.array([1]), np.array([0]))[0, 0, 0]
    runner_up = int(np.argsort(-np.where(np.isin(np.arange(10), (0, 3)), -np.inf, logits))[0])
    rewriter = Rewriter(table | {(runner_up,): ((3,), SURE)})
    [found] = run(rewriter, (1,), banned=(0, 3), iterations=1)
    assert found.ids == (runner_up,)


@pytest.mark.parametrize("iterations", [-1, 101])
def test_iterations_out_of_range_are_refused(iterations: int) -> None:
    with pytest.raises(ConfigError, match="must be 0 to 100"):
        RefineOptions(iterations=iterations)
