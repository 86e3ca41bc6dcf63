"""Joint decoding: step by step the same as scoring whole sentences by both."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.search.beam import beam_search
from signloom.search.ctc_spans import log_prob_of
from signloom.search.greedy import greedy_search
from signloom.search.joint import JointStepper
from signloom.search.scoring import log_softmax
from signloom.search.tokens import Bounds
from tests.search.token_steppers import Table

END, MOST = 3, 4
TABLE = [
    [0.0, 0.5, 0.3, 0.2],
    [0.0, 0.3, 0.3, 0.4],
    [0.0, 0.6, 0.1, 0.3],
    [1.0, 0.0, 0.0, 0.0],
]
"""Tokens: 0 is the start and the blank, 1 and 2 are written, 3 ends."""
LENGTHS = np.array([5, 3])


def heard() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    logits = rng.normal(size=(2, 5, 4)) * 1.5
    logits[:, :, END] = -np.inf
    return log_softmax(logits.astype(np.float32)).astype(np.float32), LENGTHS


def whole_scores(row: int, share: float) -> dict[tuple[int, ...], float]:
    """Score every sentence of at most three words by both."""
    log_probs = heard()[0][row, : LENGTHS[row]]
    found = {}
    for count in range(MOST):
        for ids in itertools.product((1, 2), repeat=count):
            steps = zip((0, *ids), (*ids, END), strict=True)
            spoken = sum(math.log(TABLE[before][after]) for before, after in steps)
            found[ids] = spoken + share * log_prob_of(log_probs, list(ids))
    return found


@pytest.mark.parametrize("weight", [0.3, 0.7])
def test_a_wide_beam_finds_the_best_sentence_by_the_sum_of_both(weight: float) -> None:
    stepper = JointStepper(Table(TABLE), heard, weight=weight, end=END)
    bounds = Bounds(starts=np.array([0, 0]), end=END, banned=(0,), most=np.array([MOST, MOST]))
    found = beam_search(stepper, 2, bounds=bounds, beam=60, length_penalty=0.0, best=12)
    for row, hypotheses in enumerate(found):
        expected = whole_scores(row, weight / (1 - weight))
        best = sorted(expected, key=lambda ids: -expected[ids])
        finished = [one for one in hypotheses if one.finished and one.score > -1e6]
        assert finished[0].ids == best[0]
        for one in finished:
            assert one.score == pytest.approx(expected[one.ids], abs=1e-5)


def test_without_weight_it_is_the_decoder_alone() -> None:
    bounds = Bounds(starts=np.array([0, 0]), end=END, banned=(0,), most=np.array([MOST, MOST]))
    joint = JointStepper(Table(TABLE), heard, weight=0.0, end=END)
    assert greedy_search(joint, 2, bounds=bounds) == greedy_search(Table(TABLE), 2, bounds=bounds)


@pytest.mark.parametrize("weight", [-0.1, 1.0])
def test_a_weight_that_leaves_nothing_is_refused(weight: float) -> None:
    with pytest.raises(ConfigError, match="below 1"):
        JointStepper(Table(TABLE), heard, weight=weight, end=END)
