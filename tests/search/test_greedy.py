"""Greedy search takes the most probable token, and ends each row by itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from signloom.search.greedy import greedy_search
from tests.search.token_steppers import Recurrent, Rereading, Table, bounds, row_of, sources

MOST = [9, 3, 13, 1, 7, 13, 11]

# 0 padding, 1 start, 2 end: the start is followed by 3, 3 by 4, 4 by the end.
CHAIN = [
    [0.2, 0.2, 0.2, 0.2, 0.2],
    [0.1, 0.1, 0.1, 0.5, 0.2],
    [0.2, 0.2, 0.2, 0.2, 0.2],
    [0.6, 0.0, 0.1, 0.0, 0.3],
    [0.0, 0.5, 0.4, 0.1, 0.0],
]


def test_each_token_is_the_most_probable_one_that_is_allowed() -> None:
    (found,) = greedy_search(Table(CHAIN), 1, bounds=bounds([5]), length_penalty=2.0)
    assert found.ids == (3, 4)
    assert found.finished
    # The padding after 3 and the start after 4 are more probable, and keep their probability.
    np.testing.assert_allclose(np.exp(found.log_probs), [0.5, 0.3, 0.4], rtol=1e-6)
    assert found.score == pytest.approx(math.log(0.06) / (8 / 6) ** 2)
    assert found.confidence == pytest.approx(0.06 ** (1 / 3))
    assert found.spreads == (0, 0, 0)


def test_a_row_that_reaches_its_most_tokens_is_unfinished() -> None:
    two, three = greedy_search(Table(CHAIN), 2, bounds=bounds([2, 3]))
    assert (two.ids, two.finished, len(two.log_probs)) == ((3, 4), False, 2)
    assert (three.ids, three.finished, len(three.log_probs)) == ((3, 4), True, 3)


def test_rows_that_have_ended_leave_the_batch() -> None:
    stepper = Table(CHAIN)
    greedy_search(stepper, 4, bounds=bounds([1, 7, 2, 7]))
    assert stepper.rows == [4, 3, 2]


def test_a_batch_of_unequal_lengths_equals_each_alone() -> None:
    stepper, batch, source = Recurrent(11), bounds(MOST), sources(len(MOST))
    found = greedy_search(stepper, source, bounds=batch)
    assert len({len(one.ids) for one in found}) > 3
    for row, one in enumerate(found):
        alone = greedy_search(stepper, source[row : row + 1], bounds=row_of(batch, row))
        assert [one] == alone


def test_a_model_with_a_memory_equals_one_that_reads_again() -> None:
    found = greedy_search(Recurrent(11), sources(7), bounds=bounds(MOST))
    assert found == greedy_search(Rereading(11), sources(7), bounds=bounds(MOST))


def test_each_row_begins_with_its_own_start() -> None:
    both = bounds([5, 5])
    both.starts[1] = 3
    assert [one.ids for one in greedy_search(Table(CHAIN), 2, bounds=both)] == [(3, 4), (4,)]


def test_banned_tokens_never_occur() -> None:
    banned = (0, 1, 7)
    found = greedy_search(
        Recurrent(11, favoured=7), sources(7), bounds=bounds([13] * 7, banned=banned)
    )
    written = {token for one in found for token in one.ids}
    assert len(written) > 2
    assert not written & set(banned)


def test_of_equal_tokens_the_lowest_id_is_taken() -> None:
    (found,) = greedy_search(Table([[0.2] * 5] * 5), 1, bounds=bounds([3], end=4, banned=(0, 1)))
    assert found.ids == (2, 2, 2)


def test_no_sentences_give_no_hypotheses() -> None:
    assert greedy_search(Table(CHAIN), 0, bounds=bounds([])) == []
