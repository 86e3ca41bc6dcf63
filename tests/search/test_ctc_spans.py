"""The path of a labelling is the best of all, and its probability the sum over all."""

from __future__ import annotations

import math

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.search.ctc import collapse
from signloom.search.ctc_spans import align, log_prob_of
from tests.search.labellings import labellings_of, paths_of, random_log_probs


def naive_spans(log_probs: np.ndarray, ids: tuple[int, ...]) -> list[tuple[int, int]]:
    """Give the runs of the best of all paths that read a labelling."""
    paths = paths_of(log_probs)
    path = max((one for one in paths if tuple(collapse(one)) == ids), key=lambda one: paths[one])
    starts = [n for n, one in enumerate(path) if one and (n == 0 or path[n - 1] != one)]
    return [
        (start, next((n for n in range(start, len(path)) if path[n] != path[start]), len(path)))
        for start in starts
    ]


@pytest.mark.parametrize("seed", range(3))
def test_spans_are_those_of_the_best_path_of_all(seed: int) -> None:
    log_probs = random_log_probs(5, 4, seed=seed)
    for ids in ((1,), (2, 2), (3, 1, 2), (1, 1, 3), (3, 2, 1, 2, 3)):
        found = align(log_probs, ids)
        assert [(span.start, span.end) for span in found] == naive_spans(log_probs, ids)
        for token, span in zip(ids, found, strict=True):
            mean = log_probs[span.start : span.end, token].astype(np.float64).mean()
            assert span.confidence == pytest.approx(math.exp(mean))


def test_the_probability_of_a_labelling_is_the_sum_over_its_paths() -> None:
    log_probs = random_log_probs(5, 4, seed=7)
    for ids, expected in labellings_of(log_probs).items():
        assert log_prob_of(log_probs, ids) == pytest.approx(expected, abs=1e-9)
    assert log_prob_of(log_probs, (1, 1, 1, 1)) == -math.inf


def test_nothing_has_no_span_and_every_step_is_blank() -> None:
    log_probs = random_log_probs(3, 4, seed=1)
    assert align(log_probs, []) == []
    assert log_prob_of(log_probs, []) == pytest.approx(float(log_probs[:, 0].sum()))
    assert log_prob_of(log_probs[:0], []) == 0.0


def test_a_certain_path_is_found_among_impossible_ones() -> None:
    log_probs = np.full((7, 4), -np.inf, np.float32)
    log_probs[np.arange(7), [0, 3, 3, 0, 3, 2, 0]] = 0
    found = align(log_probs, [3, 3, 2])
    assert [(one.start, one.end, one.confidence) for one in found] == [
        (1, 3, 1.0),
        (4, 5, 1.0),
        (5, 6, 1.0),
    ]


@pytest.mark.parametrize(("steps", "ids"), [(2, [1, 1]), (0, [3]), (3, [1, 2, 3, 1])])
def test_a_labelling_that_does_not_fit_the_steps_is_refused(steps: int, ids: list[int]) -> None:
    with pytest.raises(ConfigError, match=f"{steps} steps must have a path that reads {len(ids)}"):
        align(random_log_probs(steps, 4, seed=1), ids)
