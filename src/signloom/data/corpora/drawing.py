"""Which utterances make batch number `step`: a function of seed, split and step alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from signloom.data.pair import Pair

SPLIT_SEEDS = {"train": 0, "dev": 1, "test": 2}


def step_rng(seed: int, split: str, step: int) -> np.random.Generator:
    """Make the generator of one batch."""
    return np.random.default_rng([seed, SPLIT_SEEDS[split], step])


def draw_pairs(
    pairs: Sequence[Pair], rng: np.random.Generator, *, train: bool, size: int, pool: int
) -> list[Pair]:
    """Draw a batch of pairs without replacement, and again where there are too few.

    For training, `pool` batches are drawn and one is cut from them sorted by length.
    """
    wanted = size * pool if train else size
    rounds = -(-wanted // len(pairs))
    places = np.concatenate([rng.permutation(len(pairs)) for _ in range(rounds)])[:wanted]
    chosen = [pairs[int(place)] for place in places]
    if not train:
        return chosen
    chosen.sort(key=lambda pair: (pair.length, len(pair.tokens)))
    first = size * int(rng.integers(pool))
    return chosen[first : first + size]
