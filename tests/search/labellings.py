"""CTC by brute force: every path of a tiny batch, and what each labelling sums up to."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from signloom.search.ctc import collapse


def random_log_probs(*shape: int, seed: int) -> NDArray[np.float32]:
    """Draw log-probabilities [..., tokens] that differ clearly."""
    logits = np.random.default_rng(seed).normal(scale=2.0, size=shape)
    return (logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)).astype(np.float32)


def paths_of(log_probs: NDArray[np.float32]) -> dict[tuple[int, ...], float]:
    """Give every path [steps] with its log-probability."""
    steps, tokens = log_probs.shape
    return {
        path: float(log_probs[np.arange(steps), list(path)].astype(np.float64).sum())
        for path in itertools.product(range(tokens), repeat=steps)
    }


def labellings_of(log_probs: NDArray[np.float32]) -> dict[tuple[int, ...], float]:
    """Give every labelling with its log-probability, summed over its paths."""
    sums: defaultdict[tuple[int, ...], list[float]] = defaultdict(list)
    for path, score in paths_of(log_probs).items():
        sums[tuple(collapse(path))].append(score)
    return {ids: float(np.logaddexp.reduce(scores)) for ids, scores in sums.items()}
