"""A wide prefix beam is exhaustive search; a narrow one, padding and certainties are safe."""

from __future__ import annotations

import math

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.search.ctc import greedy
from signloom.search.ctc_beam import Fusion, ctc_beam
from signloom.search.ngram import NgramModel, count
from tests.search.labellings import labellings_of, random_log_probs

STEPS, TOKENS = 5, 4
WIDE = 400
"""More than there are labellings of at most five of three tokens, 364."""
MODEL = NgramModel.of(count([[1, 2, 1], [3, 1], [2, 2, 3]], 3), TOKENS)

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("seed", range(2))
def test_a_wide_beam_gives_every_labelling_its_exact_probability(seed: int) -> None:
    log_probs = random_log_probs(1, STEPS, TOKENS, seed=seed)
    expected = labellings_of(log_probs[0])
    [found] = ctc_beam(log_probs, np.array([STEPS]), beam=WIDE, best=WIDE)
    assert {one.ids for one in found} == set(expected)
    for one in found:
        assert one.log_prob == one.score == pytest.approx(expected[one.ids], abs=1e-9)
    assert found[0].ids == max(expected, key=lambda ids: expected[ids])
    assert sum(math.exp(one.log_prob) for one in found) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(("weight", "bonus"), [(0.7, 0.3), (2.0, -1.0), (0.0, 1.5)])
def test_a_wide_beam_with_a_language_model_finds_the_best_of_all(
    weight: float, bonus: float
) -> None:
    def fused(ids: tuple[int, ...], log_prob: float) -> float:
        written = sum(MODEL.score(ids[:place], one) for place, one in enumerate((*ids, 0)))
        return log_prob + weight * written + bonus * len(ids)

    log_probs = random_log_probs(2, STEPS, TOKENS, seed=11)
    fusion = Fusion(model=MODEL, weight=weight, bonus=bonus)
    found = ctc_beam(log_probs, np.full(2, STEPS), beam=WIDE, best=3, fusion=fusion)
    for row, values in zip(found, log_probs, strict=True):
        expected = labellings_of(values)
        ordered = sorted(expected, key=lambda ids: -fused(ids, expected[ids]))
        assert [one.ids for one in row] == ordered[:3]
        for one in row:
            assert one.log_prob == pytest.approx(expected[one.ids], abs=1e-9)
            assert one.score == pytest.approx(fused(one.ids, expected[one.ids]), abs=1e-9)


def test_a_token_that_is_not_allowed_is_on_no_path() -> None:
    log_probs = random_log_probs(1, STEPS, TOKENS, seed=5)
    silent = log_probs.copy()
    silent[..., 2] = -np.inf
    expected = labellings_of(silent[0])
    [found] = ctc_beam(log_probs, np.array([STEPS]), beam=WIDE, best=WIDE, allowed=(1, 3))
    assert {one.ids for one in found} == {ids for ids, one in expected.items() if one > -np.inf}
    for one in found:
        assert one.log_prob == pytest.approx(expected[one.ids], abs=1e-9)


def test_rows_of_a_batch_are_read_as_each_alone() -> None:
    log_probs, lengths = random_log_probs(4, 23, 7, seed=2), np.array([23, 0, 11, 5])
    log_probs[2, 11:] = np.nan
    fusion = Fusion(model=NgramModel.of(count([[1, 6, 2]], 2), 7), weight=0.5)
    together = ctc_beam(log_probs, lengths, beam=5, best=3, fusion=fusion)
    for row, steps, found in zip(log_probs, lengths, together, strict=True):
        alone = ctc_beam(row[None, :steps], np.array([steps]), beam=5, best=3, fusion=fusion)
        assert [one.ids for one in found] == [one.ids for one in alone[0]]
        assert [one.score for one in found] == pytest.approx([one.score for one in alone[0]])


def test_a_narrow_beam_finds_what_is_clear_and_never_counts_too_much() -> None:
    log_probs = random_log_probs(3, STEPS, TOKENS, seed=3)
    for beam in (1, 2, 7):
        for row, found in zip(
            log_probs, ctc_beam(log_probs, np.full(3, STEPS), beam=beam), strict=True
        ):
            assert found[0].log_prob <= labellings_of(row)[found[0].ids] + 1e-9
    clear = np.log(np.full((1, 7, 4), 0.01, np.float32))
    clear[0, np.arange(7), [1, 1, 0, 1, 3, 0, 2]] = math.log(0.97)
    assert ctc_beam(clear, np.array([7]), beam=1)[0][0].ids == (1, 1, 3, 2)


def test_it_may_find_what_the_best_path_does_not_read() -> None:
    """As in Graves (2012), figure 7.6: blanks are the best path, `1` the best labelling."""
    log_probs = np.log(np.array([[[0.6, 0.4], [0.6, 0.4]]], np.float32))
    assert greedy(log_probs, np.array([2])) == [[]]
    [[best]] = ctc_beam(log_probs, np.array([2]), beam=2)
    assert (best.ids, round(math.exp(best.log_prob), 6)) == ((1,), 0.64)


def test_a_beginning_that_comes_back_is_the_same_one() -> None:
    """A narrow beam loses and finds beginnings again; no labelling may come out twice."""
    for seed in range(7):
        log_probs = random_log_probs(1, 31, 3, seed=seed) / 3
        [found] = ctc_beam(log_probs, np.array([31]), beam=4, best=4)
        assert len({one.ids for one in found}) == len(found)


def test_certain_blanks_and_impossible_tokens_are_safe() -> None:
    log_probs = np.full((2, 5, 4), -np.inf, np.float32)
    log_probs[0, :, 0] = 0
    log_probs[1, np.arange(5), [3, 3, 0, 3, 2]] = 0
    found = ctc_beam(log_probs, np.array([5, 5]), beam=7, best=7)
    assert [[(one.ids, one.log_prob) for one in row] for row in found] == [
        [((), 0.0)],
        [((3, 3, 2), 0.0)],
    ]
    assert ctc_beam(np.full((1, 3, 4), -np.inf, np.float32), np.array([3]), beam=2) == [[]]


def test_without_steps_nothing_is_read_for_certain() -> None:
    [[nothing]] = ctc_beam(np.zeros((1, 0, 4), np.float32), np.array([0]), beam=3)
    assert (nothing.ids, nothing.log_prob, nothing.score) == ((), 0.0, 0.0)
    assert ctc_beam(np.zeros((0, 5, 4), np.float32), np.zeros(0, np.int64), beam=3) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"beam": 0}, "`beam` must be at least 1, but is 0"),
        ({"best": 3}, "`best` must be 1 to `beam`, 2, but is 3"),
        ({"best": 0}, "`best` must be 1 to"),
        ({"fusion": Fusion(model=MODEL)}, "must be of the 3 tokens that are read, but is of 4"),
    ],
)
def test_a_search_that_does_not_hold_is_refused(changes: dict[str, object], message: str) -> None:
    options = {"beam": 2} | changes
    with pytest.raises(ConfigError, match=message):
        ctc_beam(np.zeros((1, 5, 3), np.float32), np.array([5]), **options)  # type: ignore[arg-type]
