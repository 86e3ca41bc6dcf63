"""When each token of a labelling is signed and how sure it is: the best path that reads it.

The Viterbi path through the labelling with blanks around its tokens (Graves et al. 2006, § 4.1,
with the maximum in place of the sum) gives each token the steps that it is seen in. CTC places
tokens in peaks: what lies between two is blank, so a span is where a token is surest, not all of
the movement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from signloom.errors import ConfigError
from signloom.search.ctc import BLANK
from signloom.search.scoring import Doubles
from signloom.search.slots import Floats, Ids


@dataclass(frozen=True)
class StepSpan:
    """The steps of one token.

    Attributes:
        start: The first.
        end: The first that is no longer the token's.
        confidence: Geometric mean of the token's probability over them, 0 to 1.
    """

    start: int
    end: int
    confidence: float


def align(log_probs: Floats, ids: Sequence[int]) -> list[StepSpan]:
    """Find the most probable path of a labelling.

    Of equally probable paths the one is taken that comes to its tokens first.

    Args:
        log_probs: Natural log-probabilities [steps, tokens] of one row.
        ids: The labelling, without blanks.

    Returns:
        The steps of each token, in order.

    Raises:
        ConfigError: No path reads the labelling.

    Example:
        >>> log_probs = np.log(np.array([[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]], np.float32))
        >>> [(span.start, span.end, round(span.confidence, 3)) for span in align(log_probs, [1])]
        [(1, 3, 0.8)]
    """
    if not ids:
        return []
    labels, may_skip = _lattice(ids)
    scores = _begin(labels)
    jumps = np.zeros((len(log_probs), len(labels)), dtype=np.int8)
    for step, row in enumerate(log_probs.astype(np.float64)):
        options = _options(scores, may_skip)
        jumps[step] = options.argmax(axis=0)
        scores = options.max(axis=0) + row[labels]
    state = len(labels) - 1 - int(scores[-2] > scores[-1])
    if not scores[state] > -np.inf:
        raise ConfigError(
            f"{len(log_probs)} steps must have a path that reads {len(ids)} tokens, but have none. "
            "Take what was read of them."
        )
    states = np.empty(len(log_probs), dtype=np.int64)
    for step in range(len(log_probs) - 1, -1, -1):
        states[step] = state
        state -= int(jumps[step, state])
    return [_span(log_probs, np.flatnonzero(states == 2 * n + 1), one) for n, one in enumerate(ids)]


def log_prob_of(log_probs: Floats, ids: Sequence[int]) -> float:
    """Sum the probability of a labelling over all its paths; give the natural logarithm.

    Args:
        log_probs: Natural log-probabilities [steps, tokens] of one row.
        ids: The labelling, without blanks.

    Example:
        >>> round(log_prob_of(np.log(np.array([[0.6, 0.4]] * 2, np.float32)), [1]), 4)
        -0.4463
    """
    labels, may_skip = _lattice(ids)
    scores = _begin(labels)
    for row in log_probs.astype(np.float64):
        scores = np.logaddexp.reduce(_options(scores, may_skip), axis=0) + row[labels]
    return float(np.logaddexp.reduce(scores[-2:]))


def _lattice(ids: Sequence[int]) -> tuple[Ids, Doubles]:
    """Give the labels with blanks around them, and 0 where the blank before may be skipped."""
    labels = np.full(2 * len(ids) + 1, BLANK, dtype=np.int64)
    labels[1::2] = ids
    may_skip = np.full(len(labels), -np.inf)
    may_skip[3::2] = np.where(labels[3::2] != labels[1:-2:2], 0.0, -np.inf)
    return labels, may_skip


def _begin(labels: Ids) -> Doubles:
    """Score the states before the first step: only the first blank, which steps may begin with."""
    scores = np.full(len(labels), -np.inf)
    scores[0] = 0.0
    return scores


def _options(scores: Doubles, may_skip: Doubles) -> Doubles:
    """Score how each state is come to: from itself, the one before, the one before that."""
    never = np.full(2, -np.inf)
    before, skipped = np.r_[never[:1], scores[:-1]], np.r_[never, scores[:-2]][: len(scores)]
    return np.stack([scores, before, skipped + may_skip])


def _span(log_probs: Floats, steps: Ids, token: int) -> StepSpan:
    sure = float(np.exp(log_probs[steps, token].astype(np.float64).mean()))
    return StepSpan(int(steps[0]), int(steps[-1]) + 1, sure)
