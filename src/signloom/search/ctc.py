"""CTC decoding: from frame-wise token probabilities to token ids. Id 0 is the blank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

BLANK = 0


def collapse(path: Iterable[int]) -> list[int]:
    """Merge repeated ids, then drop blanks.

    Example:
        >>> collapse([0, 3, 3, 0, 3, 5, 0])
        [3, 3, 5]
    """
    ids: list[int] = []
    last = BLANK
    for label in path:
        if label not in (last, BLANK):
            ids.append(int(label))
        last = label
    return ids


def greedy(
    log_probs: NDArray[np.float32], lengths: NDArray[np.int64], *, banned: Sequence[int] = ()
) -> list[list[int]]:
    """Read the best label of each step (best path, not best labelling).

    Args:
        log_probs: Log-probabilities [batch, steps, tokens].
        lengths: Steps of each row; what lies beyond is padding.
        banned: Tokens that are never read; the blank is none.

    Returns:
        Token ids of each row.
    """
    unread = [token for token in banned if token != BLANK]
    if unread:
        log_probs = log_probs.copy()
        log_probs[..., unread] = -np.inf
    best = log_probs.argmax(axis=-1)
    return [collapse(row[:steps].tolist()) for row, steps in zip(best, lengths, strict=True)]
