"""The language model is the formula, sums to one after anything, and refuses what is no count."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.search.ngram import NgramModel, count

NUM_TOKENS = 5
SENTENCES = [[1, 2, 3], [1, 2], [2, 2, 1], [], [4, 1, 2, 3]]


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_tokens_and_end_sum_to_one_after_any_history(order: int) -> None:
    model = NgramModel.of(count(SENTENCES, order), NUM_TOKENS)
    histories = [one for size in range(4) for one in itertools.product(range(1, 5), repeat=size)]
    for history in histories:
        scores = [model.score(history, token) for token in range(NUM_TOKENS)]
        assert sum(map(math.exp, scores)) == pytest.approx(1, abs=1e-12)
        assert min(scores) > -math.inf


def naive(sentences: list[list[int]], history: tuple[int, ...], token: int) -> float:
    """Count anew for every question, by the formula as it stands in the paper."""
    order = len(history)
    follow = [
        padded[place + order]
        for one in sentences
        for padded in [(*[0] * 2, *one, 0)]
        for place in range(2 - order, len(padded) - order)
        if padded[place : place + order] == history
    ]
    lower = naive(sentences, history[1:], token) if history else 1 / NUM_TOKENS
    kinds = len(set(follow))
    return (follow.count(token) + kinds * lower) / (len(follow) + kinds) if follow else lower


def test_it_is_the_formula_of_witten_and_bell() -> None:
    model = NgramModel.of(count(SENTENCES, 3), NUM_TOKENS)
    for history in itertools.product(range(NUM_TOKENS), repeat=2):
        expected = [naive(SENTENCES, history, token) for token in range(NUM_TOKENS)]
        assert np.exp(model.log_probs(history)) == pytest.approx(expected)


def test_a_history_is_cut_to_what_decides_and_filled_up_at_its_beginning() -> None:
    model = NgramModel.of(count(SENTENCES, 3), NUM_TOKENS)
    assert model.context([]) == (0, 0)
    assert model.context([4]) == (0, 4)
    assert model.context([1, 2, 3, 4]) == (3, 4)
    assert NgramModel.of(count(SENTENCES, 1), NUM_TOKENS).context([1, 2]) == ()
    assert model.score([1, 2, 3, 4], 1) == model.score([3, 4], 1)


def test_the_more_frequent_follower_is_the_more_probable_one() -> None:
    model = NgramModel.of(count([[1, 2], [1, 2], [1, 3]], 2), NUM_TOKENS)
    assert model.score([1], 2) > model.score([1], 3) > model.score([1], 4)
    assert model.score([2], 0) > model.score([1], 0)


REFUSED: dict[str, object] = {
    "no list": {"a": 1},
    "nothing": [],
    "no lists within": [1, 2],
    "no token": [[3]],
    "orders that differ": [[1, 2, 1], [1, 1]],
    "too high an order": [[1] * 10],
    "a token that there is not": [[1, 5, 1]],
    "a negative id": [[-1, 2, 1]],
    "a count of none": [[1, 2, 0]],
    "a vast count": [[1, 2, 10**10]],
    "half a count": [[1, 2, 1.5]],
    "true": [[1, True, 1]],
    "one twice": [[1, 2, 1], [1, 2, 3]],
    "a word": [[1, "2", 1]],
}


@pytest.mark.parametrize("mistake", REFUSED)
def test_what_is_no_list_of_counts_is_refused(mistake: str) -> None:
    with pytest.raises(FormatError, match="`ngrams` must be") as caught:
        NgramModel.of(REFUSED[mistake], NUM_TOKENS)
    assert "\n" not in str(caught.value)
