"""Beam search against what it must equal: all sequences, a naive loop, greedy search, itself."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.search.beam import beam_search
from signloom.search.greedy import greedy_search
from signloom.search.members import Members
from signloom.search.scoring import log_softmax
from signloom.search.tokens import Hypothesis, TokenStepper
from tests.search.token_steppers import Recurrent, Rereading, Table, bounds, row_of, sources

MOST = [9, 3, 13, 1, 7, 13, 11]
END = 2


class Found(NamedTuple):
    ids: tuple[int, ...]
    score: float
    finished: bool


def brief(hypothesis: Hypothesis) -> Found:
    return Found(hypothesis.ids, hypothesis.score, hypothesis.finished)


def naive(
    stepper: TokenStepper, source: np.ndarray, *, most: int, beam: int, alpha: float
) -> list[Found]:
    """Search one sentence, a row at a time, to the last token allowed; all that ended, by score."""
    live = [((), 0.0, 1, stepper.begin(source))]
    ended = []
    for length in range(1, most + 1):
        grown = []
        for ids, total, last, state in live:
            scores, after = stepper.step(np.array([last]), state)
            for token, gain in enumerate(log_softmax(scores.logits)[0]):
                if token > 1:
                    grown.append(((*ids, token), total + gain, token, after))
        kept = sorted(grown, key=lambda one: -one[1])[:beam]
        live = [one for one in kept if one[2] != END and length < most]
        for ids, total, last, _ in kept:
            score = total / ((5 + length) / 6) ** alpha
            if last == END:
                ended.append(Found(ids[:-1], score, True))
            elif length == most:
                ended.append(Found(ids, score, False))
    return sorted(ended, key=lambda one: -one.score)


def assert_same(found: list[Hypothesis], expected: list[Found]) -> None:
    assert [one.ids for one in found] == [one.ids for one in expected]
    assert [one.finished for one in found] == [one.finished for one in expected]
    np.testing.assert_allclose(
        [one.score for one in found], [one.score for one in expected], rtol=1e-12
    )


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.7])
@pytest.mark.parametrize("best", [1, 7, 121])
def test_a_beam_that_nothing_falls_out_of_finds_the_best_of_all(alpha: float, best: int) -> None:
    stepper, source = Recurrent(5), sources(3)
    limits = bounds([4, 4, 4], start=4, end=3, banned=(4,))
    # Three tokens beside the end: 1 + 3 + 9 + 27 sequences that end, and 81 that are cut.
    for row in range(3):
        every = every_sequence(stepper, source[row : row + 1], alpha=alpha)
        assert len(every) == 121
        (found,) = beam_search(
            stepper,
            source[row : row + 1],
            bounds=row_of(limits, row),
            beam=121,
            length_penalty=alpha,
            best=best,
        )
        assert_same(found, every[:best])


def every_sequence(stepper: Recurrent, source: np.ndarray, *, alpha: float) -> list[Found]:
    """List what up to 4 of the tokens 0, 1, 2 and the end 3 can make."""
    found: list[Found] = []

    def go_on(ids: tuple[int, ...], total: float, state: np.ndarray) -> None:
        scores, after = stepper.step(np.array([ids[-1] if ids else 4]), state)
        penalty = ((5 + len(ids) + 1) / 6) ** alpha
        for token, gain in enumerate(log_softmax(scores.logits)[0, :4]):
            if token == 3:
                found.append(Found(ids, (total + gain) / penalty, True))
            elif len(ids) == 3:
                found.append(Found((*ids, token), (total + gain) / penalty, False))
            else:
                go_on((*ids, token), total + gain, after)

    go_on((), 0.0, source)
    return sorted(found, key=lambda one: -one.score)


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.7])
@pytest.mark.parametrize(("beam", "best"), [(1, 1), (3, 1), (3, 3), (5, 2)])
def test_stopping_as_soon_as_nothing_can_change_changes_nothing(
    alpha: float, beam: int, best: int
) -> None:
    stepper, source = Recurrent(11, favoured=END), sources(len(MOST))
    found = beam_search(
        stepper, source, bounds=bounds(MOST), beam=beam, length_penalty=alpha, best=best
    )
    for row, most in enumerate(MOST):
        expected = naive(stepper, source[row : row + 1], most=most, beam=beam, alpha=alpha)
        assert_same(found[row], expected[:best])


# The start ends at once more often than not, but who goes on is sure of all that follows.
LATE = [
    [1.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.6, 0.4, 0.0],
    [1.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 0.0, 0.0],
]


@pytest.mark.parametrize(
    ("most", "alpha", "ids", "steps"),
    [
        (9, 0.0, (), 1),  # ln 0.4 < ln 0.6: nothing can come
        (9, 1.0, (), 3),  # ln 0.4 / (14 / 6) > ln 0.6: it may, but with 3 tokens does not
        (9, 3.0, (3, 4), 3),  # ln 0.4 / (8 / 6)^3 > ln 0.6: it does
        (2, 1.0, (), 1),  # ln 0.4 / (7 / 6) < ln 0.6: too few tokens are left
    ],
)
def test_a_sentence_ends_when_nothing_in_its_beam_can_be_better(
    most: int, alpha: float, ids: tuple[int, ...], steps: int
) -> None:
    stepper = Table(LATE)
    (found,) = beam_search(stepper, 1, bounds=bounds([most]), beam=2, length_penalty=alpha)
    assert found[0].ids == ids
    assert len(stepper.rows) == steps


def test_rows_that_can_no_longer_be_better_leave_the_batch() -> None:
    stepper = Table(LATE)
    found = beam_search(stepper, 2, bounds=bounds([9, 2]), beam=2, length_penalty=1.0)
    assert [one[0].ids for one in found] == [(), ()]
    assert stepper.rows == [2, 1, 1]
    # ln 0.3 / (11 / 6) > ln 0.5 > ln 0.2 / (11 / 6): of what goes on, only the 3 may come to more.
    stepper = Table([LATE[0], [0.0, 0.0, 0.5, 0.3, 0.2], *LATE[2:]])
    beam_search(stepper, 1, bounds=bounds([6]), beam=3, length_penalty=1.0)
    assert stepper.rows == [1, 1, 1]


@pytest.mark.parametrize("alpha", [0.0, 0.6])
def test_a_beam_of_one_is_greedy_search(alpha: float) -> None:
    stepper, limits = Recurrent(11, favoured=END), bounds(MOST)
    found = beam_search(stepper, sources(7), bounds=limits, beam=1, length_penalty=alpha)
    greedy = greedy_search(stepper, sources(7), bounds=limits, length_penalty=alpha)
    assert any(one.finished for one in greedy)
    assert found == [[one] for one in greedy]


def test_a_batch_of_unequal_lengths_equals_each_alone() -> None:
    stepper, source, limits = Recurrent(11, favoured=END), sources(7), bounds(MOST)
    arguments = {"beam": 3, "length_penalty": 0.6, "best": 3}
    found = beam_search(stepper, source, bounds=limits, **arguments)
    for row, one in enumerate(found):
        alone = row_of(limits, row)
        assert [one] == beam_search(stepper, source[row : row + 1], bounds=alone, **arguments)


def test_a_model_with_a_memory_equals_one_that_reads_again() -> None:
    arguments = {"bounds": bounds(MOST), "beam": 5, "length_penalty": 0.6, "best": 5}
    found = beam_search(Recurrent(11), sources(7), **arguments)
    assert found == beam_search(Rereading(11), sources(7), **arguments)


def test_the_best_few_are_sorted_and_distinct_and_free_of_banned_tokens() -> None:
    banned = (0, 1, 7)
    for one in beam_search(
        Recurrent(11, favoured=7),
        sources(7),
        bounds=bounds([13] * 7, banned=banned),
        beam=5,
        length_penalty=0.6,
        best=5,
    ):
        assert len({(found.ids, found.finished) for found in one}) == 5
        assert all(better.score >= worse.score for better, worse in pairwise(one))
        assert not {token for found in one for token in found.ids} & set(banned)


def test_of_equal_sequences_those_with_the_lowest_ids_are_kept() -> None:
    (found,) = beam_search(
        Table([[0.2] * 5] * 5),
        1,
        bounds=bounds([2], end=4, banned=(0,)),
        beam=3,
        length_penalty=0.0,
        best=3,
    )
    assert [one.ids for one in found] == [(1, 1), (1, 2), (1, 3)]


def test_there_are_fewer_hypotheses_where_there_are_no_more() -> None:
    (found,) = beam_search(Table(LATE), 1, bounds=bounds([9]), beam=5, length_penalty=0.0, best=5)
    assert [one.ids for one in found] == [(), (3, 4)]


def test_confidence_and_spread_are_those_of_the_tokens_on_the_way() -> None:
    members = [Recurrent(11, seed=seed, favoured=END) for seed in (1, 2, 3)]
    stepper, source = Members(members), sources(5)
    found = beam_search(stepper, source, bounds=bounds([7] * 5), beam=3, length_penalty=0.6, best=3)
    for row, several in enumerate(found):
        for one in several:
            written = [*one.ids, END] if one.finished else list(one.ids)
            state, last = stepper.begin(source[row : row + 1]), 1
            for token, log_prob, spread in zip(written, one.log_probs, one.spreads, strict=True):
                scores, state = stepper.step(np.array([last]), state)
                apart = np.exp(log_softmax(scores.members[:, 0]))[:, token].std()
                assert log_prob == pytest.approx(log_softmax(scores.logits)[0, token], abs=1e-12)
                assert spread == pytest.approx(apart, abs=1e-6)
                last = token
            assert 0 < one.spread < 0.5
            assert 0 < one.confidence < 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"beam": 0, "length_penalty": 0.6}, "`beam` must be at least 1, but is 0"),
        ({"beam": 3, "length_penalty": 0.6, "best": 4}, "`best` must be 1 to `beam`, 3, but is 4"),
        ({"beam": 3, "length_penalty": -0.5}, "`length_penalty` must be at least 0, but is -0.5"),
    ],
)
def test_arguments_that_no_beam_can_have_are_refused(
    arguments: dict[str, float], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        beam_search(Table(LATE), 1, bounds=bounds([9]), **arguments)


def test_no_sentences_give_no_hypotheses() -> None:
    assert beam_search(Table(LATE), 0, bounds=bounds([]), beam=3, length_penalty=0.6) == []
