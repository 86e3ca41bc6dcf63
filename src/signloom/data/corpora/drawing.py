"""Which utterances make batch number `step`: a function of seed, split and step alone."""

from __future__ import annotations

import numpy as np

SPLIT_SEEDS = {"train": 0, "dev": 1, "test": 2}


def step_rng(seed: int, split: str, step: int) -> np.random.Generator:
    """Make the generator of one batch."""
    return np.random.default_rng([seed, SPLIT_SEEDS[split], step])
