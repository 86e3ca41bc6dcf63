"""How many frames each token gets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MAX_FRAMES = 300
RAISE_FRAMES = LOWER_FRAMES = 6
MAX_TOKENS = 28
"""Most tokens of one utterance: leaves a range of paces within 300 frames."""
PACE = (7.0, 12.0)
LETTER_FRAMES = (6, 14)
VARIATION = 0.15
_MOST = MAX_FRAMES - RAISE_FRAMES - LOWER_FRAMES


def draw_pace(num_tokens: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw one pace for the utterance, then vary each token by 15 %.

    The pace is uniform from 7 to 12 frames a token; a long text has a lower upper end, so that
    the utterance stays within 300 frames.
    """
    low, high = PACE
    pace = rng.uniform(low, min(high, _MOST / num_tokens))
    counts = np.rint(pace * rng.uniform(1 - VARIATION, 1 + VARIATION, num_tokens)).astype(np.int64)
    return _within_limit(counts.clip(*LETTER_FRAMES))


def fixed_pace(num_tokens: int, pace: float) -> NDArray[np.int64]:
    """Give every token `pace` frames (fewer if 300 would be exceeded), exact on average."""
    total = min(round(num_tokens * pace), _MOST)
    return share(num_tokens, max(total, num_tokens * LETTER_FRAMES[0]))


def share(num_tokens: int, total: int) -> NDArray[np.int64]:
    """Share `total` frames out as evenly as whole frames allow."""
    edges = np.arange(num_tokens + 1) * total // num_tokens
    return np.asarray(np.diff(edges), dtype=np.int64)


def transition_frames(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the part of each token that is spent on getting there: .35 of it, at least 3 frames."""
    return np.asarray(np.maximum(3, np.rint(0.35 * counts)), dtype=np.int64)


def _within_limit(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    while counts.sum() > _MOST:
        counts[np.argsort(-counts, kind="stable")[: counts.sum() - _MOST]] -= 1
    return counts
