"""From logits to log-probabilities, their spread over members, and the penalty of a length."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from signloom.search.slots import Floats, Ids

Doubles = npt.NDArray[np.float64]


def log_softmax(logits: Floats) -> Doubles:
    """Turn logits [rows, tokens] into log-probabilities, never above 0.

    Example:
        >>> np.exp(log_softmax(np.log(np.array([[1, 3]], np.float32)))).round(6).tolist()
        [[0.25, 0.75]]
    """
    log_probs: Doubles = logits.astype(np.float64)
    log_probs -= log_totals(logits)[..., None]
    return log_probs


def log_totals(logits: Floats) -> Doubles:
    """Give what makes log-probabilities of logits: `log(sum(exp(logits)))` of each row [...].

    Example:
        >>> log_totals(np.log(np.array([[1, 3]], np.float32))).round(6).tolist()
        [1.386294]
    """
    shifted = logits.astype(np.float64)
    top = shifted.max(axis=-1, keepdims=True)
    shifted -= top
    found: Doubles = top[..., 0] + np.log(np.exp(shifted, out=shifted).sum(axis=-1))
    return found


def member_spread(members: Floats, *, rows: Ids, tokens: Ids) -> Doubles:
    """Find how far the members are apart: the deviation of their probabilities of given tokens.

    Args:
        members: Logits [members, rows, tokens].
        rows: Which row of them each choice is of [choices].
        tokens: The tokens chosen [choices].

    Returns:
        Standard deviation over the members [choices]; 0 for one member.

    Example:
        >>> members = np.log(np.array([[[1, 3]], [[3, 1]]], np.float32))
        >>> member_spread(members, rows=np.array([0]), tokens=np.array([1])).round(6).tolist()
        [0.25]
    """
    if len(members) == 1:
        return np.zeros(len(rows))
    # Single precision: this runs over members, beams and the whole vocabulary in every step.
    top = members.max(axis=-1)
    totals = np.exp(members - top[..., None]).sum(axis=-1)
    chosen = np.exp(members[:, rows, tokens] - top[:, rows]) / totals[:, rows]
    spread: Doubles = chosen.astype(np.float64).std(axis=0)
    return spread


def best_places(scores: Doubles, *, count: int) -> tuple[Ids, Doubles]:
    """List the best places of each row and what they score [rows, count], best first.

    Of equal ones the lowest place comes first, and where none is left the score is minus infinity.
    By rounds of `argmax`: sorting all is slow, and `argpartition` takes any of equals.

    Example:
        >>> places, _ = best_places(np.array([[1.0, 3.0, 3.0]]), count=2)
        >>> places.tolist()
        [[1, 2]]
    """
    left, rows = scores.copy(), np.arange(len(scores))
    best = np.empty((len(rows), count), dtype=np.int64)
    values = np.empty((len(rows), count))
    for place in range(count):
        best[:, place] = left.argmax(axis=1)
        values[:, place] = left[rows, best[:, place]]
        left[rows, best[:, place]] = -np.inf
    return best, values


def length_penalty_of(lengths: Ids, *, alpha: float) -> Doubles:
    """Weigh lengths: `((5 + length) / 6) ** alpha` (Wu et al. 2016, GNMT, eq. 14).

    Example:
        >>> length_penalty_of(np.array([1, 7]), alpha=0.5).round(4).tolist()
        [1.0, 1.4142]
    """
    penalty: Doubles = ((5 + lengths.astype(np.float64)) / 6) ** alpha
    return penalty
