"""Groups dealt out one by one: a group of one is a token a step, larger ones are searched alike."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from signloom.search.beam import beam_search
from signloom.search.greedy import greedy_search
from signloom.search.groups import Grouped, repeats
from signloom.search.scoring import log_softmax
from signloom.search.slots import Floats, Ids
from tests.search.token_steppers import DIM, Recurrent, bounds, row_of, sources

MOST = [9, 3, 13, 1, 7]
END = 2


class Recurring:
    """A random network that writes `group` tokens at once, each slot by a head of its own."""

    def __init__(self, num_tokens: int, group: int, *, seed: int = 0, favoured: int = -1) -> None:
        rng = np.random.default_rng(seed)
        self.num_tokens, self.group = num_tokens, group
        self.embedding = rng.normal(size=(num_tokens, DIM))
        self.inner = rng.normal(size=(DIM, DIM))
        self.heads = rng.normal(size=(group, DIM, num_tokens)) * 1.5
        self.favoured = favoured
        self.runs: list[int] = []

    def begin(self, source: np.ndarray) -> np.ndarray:
        return source

    def step(self, tokens: Ids, state: np.ndarray) -> tuple[Floats, np.ndarray]:
        self.runs.append(len(tokens))
        hidden = state
        for column in tokens.T:
            hidden = np.tanh((hidden[:, :, None] * self.inner).sum(1) + self.embedding[column])
        logits = (hidden[:, None, :, None] * self.heads).sum(2)
        if self.favoured >= 0:
            logits[..., self.favoured] += 4
        return logits.astype(np.float32), hidden

    def reorder(self, state: np.ndarray, rows: Ids) -> np.ndarray:
        return state[rows]


class OneByOne:
    """`Recurrent` as a stepper of groups of one."""

    group = 1

    def __init__(self, inner: Recurrent) -> None:
        self.inner, self.num_tokens = inner, inner.num_tokens

    def begin(self, source: np.ndarray) -> np.ndarray:
        return self.inner.begin(source)

    def step(self, tokens: Ids, state: np.ndarray) -> tuple[Floats, np.ndarray]:
        scores, state = self.inner.step(tokens[:, 0], state)
        return scores.logits[:, None], state

    def reorder(self, state: np.ndarray, rows: Ids) -> np.ndarray:
        return self.inner.reorder(state, rows)


@pytest.mark.parametrize("beam", [1, 3])
def test_groups_of_one_are_a_token_a_step(beam: int) -> None:
    batch, source = bounds(MOST), sources(len(MOST))
    found = beam_search(
        Grouped(OneByOne(Recurrent(11))), source, bounds=batch, beam=beam, length_penalty=0.5
    )
    assert found == beam_search(Recurrent(11), source, bounds=batch, beam=beam, length_penalty=0.5)


@pytest.mark.parametrize("group", [2, 3, 5])
def test_the_model_runs_once_a_group(group: int) -> None:
    stepper = Recurring(11, group)
    stepper.heads[..., END] = -9
    [found] = greedy_search(Grouped(stepper, suppress=False), sources(1), bounds=bounds([13]))
    assert len(found.ids) <= 13
    assert len(stepper.runs) == -(-len(found.log_probs) // group)


@pytest.mark.parametrize("suppress", [False, True])
@pytest.mark.parametrize("group", [2, 4])
def test_a_wide_beam_finds_the_best_of_all_sequences(group: int, suppress: bool) -> None:
    stepper, source, most = Recurring(5, group), sources(1), 5
    best: tuple[float, tuple[int, ...]] = (-np.inf, ())
    for ids in product((2, 3, 4), repeat=most):
        ids = ids[: ids.index(END) + 1] if END in ids else ids
        total, fed, state = 0.0, np.ones((1, group), dtype=np.int64), source
        for first in range(0, len(ids), group):
            logits, state = stepper.step(fed, state)
            own = ids[first : first + group]
            for place, token in enumerate(own):
                total += log_softmax(logits[:, place])[0, token]
                before = np.array([ids[: first + place]], dtype=np.int64)
                if suppress and before.shape[1]:
                    _, forbidden = repeats(before, pairs=place > 0)
                    total = -np.inf if token in forbidden else total
            fed = np.array([[*own, *(0,) * (group - len(own))]])
        best = max(best, (total, ids))
    [[found]] = beam_search(
        Grouped(stepper, suppress=suppress),
        source,
        bounds=bounds([most]),
        beam=500,
        length_penalty=0.0,
    )
    assert found.score == pytest.approx(best[0], rel=1e-6)
    assert found.ids == tuple(token for token in best[1] if token != END)


@pytest.mark.parametrize("beam", [1, 4])
def test_a_batch_of_unequal_lengths_equals_each_alone(beam: int) -> None:
    batch, source = bounds(MOST), sources(len(MOST))
    stepper = Grouped(Recurring(29, 3, seed=4))
    found = beam_search(stepper, source, bounds=batch, beam=beam, length_penalty=1.0)
    assert len({len(one[0].ids) for one in found}) > 2
    for row, one in enumerate(found):
        alone = beam_search(
            stepper, source[row : row + 1], bounds=row_of(batch, row), beam=beam, length_penalty=1.0
        )
        assert [one] == alone


def test_nothing_is_repeated_where_that_is_forbidden() -> None:
    # A favoured token would be written over and over.
    source, batch = sources(3), bounds([12] * 3)
    free = greedy_search(Grouped(Recurring(7, 4, favoured=5), suppress=False), source, bounds=batch)
    bound = greedy_search(Grouped(Recurring(7, 4, favoured=5)), source, bounds=batch)
    assert any(first == second for one in free for first, second in pairwise(one.ids))
    for one in bound:
        for place, (first, second) in enumerate(pairwise(one.ids), start=1):
            pairs = list(pairwise(one.ids[:place]))
            assert first != second
            assert place % 4 == 0 or (first, second) not in pairs


def test_a_beginning_without_repeats_forbids_its_last_token_alone() -> None:
    rows, tokens = repeats(np.array([[4, 3], [5, 6]]))
    assert (rows.tolist(), tokens.tolist()) == ([0, 1], [3, 6])
