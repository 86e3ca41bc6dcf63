"""The path through the lags of all frames that is both likely and smooth (Viterbi).

Costs are in single precision, as in Kaldi: where there is no voice, many paths cost so nearly the
same that the rounding chooses between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from signloom.features.pitch.lags import STEP, candidate_lags, lag_filters

SOFT_MIN_HZ = 10.0
"""The longer a lag, the less it counts, down to nothing at the inverse of this."""
PENALTY = 0.1
"""Times the squared change of the logarithm of the pitch: what a change costs."""
MOST_PENDING = 6000
"""A minute; the paths of a voice meet within a second or two."""


def track(
    blocks: Iterable[NDArray[np.float64]], *, most_pending: int = MOST_PENDING
) -> Iterator[NDArray[np.intp]]:
    """Choose one of `candidate_lags` for each frame.

    Args:
        blocks: Correlations at the measured lags [frames, lags].
        most_pending: Frames after which a choice is final, even if it could still turn out worse
            than another.

    Yields:
        Places among the candidates [frames], in blocks of their own: the best path as a whole,
        if the best paths to all states are one `most_pending` frames earlier.
    """
    costs = np.zeros(len(candidate_lags()), dtype=np.float32)
    pending: list[NDArray[np.int16]] = []
    for block in blocks:
        found, costs = _forward((block @ lag_filters()).astype(np.float32), costs)
        pending.append(found)
        while sum(map(len, pending[1:])) > most_pending:
            yield _path(pending, costs)[: len(pending[0])]
            del pending[0]
    if pending:
        yield _path(pending, costs)


def _forward(
    likeness: NDArray[np.float32], costs: NDArray[np.float32]
) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """Give each frame's best states before each state [frames, states], and the costs so far."""
    states = np.arange(len(costs))
    change = _change_costs()
    local = (1.0 - likeness) + np.float32(SOFT_MIN_HZ) * likeness * candidate_lags()
    found = np.empty(likeness.shape, dtype=np.int16)
    totals = np.empty_like(change)
    for frame, cost in enumerate(local):
        np.add(change, costs, out=totals)
        best = totals.argmin(axis=1)
        found[frame] = best
        costs = totals[states, best] + cost
        costs -= costs.min()  # or single precision runs out
    return found, costs


@cache
def _change_costs() -> NDArray[np.float32]:
    """Give the cost of each state after each [states, states], in Kaldi's single precision."""
    states = np.arange(len(candidate_lags()))
    step = math.log(1.0 + float(np.float32(STEP)))
    costs = ((states[:, None] - states) ** 2).astype(np.float32)
    return costs * (np.float32(step**2) * np.float32(PENALTY))


def _path(pending: list[NDArray[np.int16]], costs: NDArray[np.float32]) -> NDArray[np.intp]:
    before = np.concatenate(pending)
    path = np.empty(len(before), dtype=np.intp)
    state = costs.argmin()
    for frame in reversed(range(len(before))):
        path[frame] = state
        state = before[frame, state]
    return path
