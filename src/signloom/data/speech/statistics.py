"""Mean and spread of the features of a speech corpus, over a sample of its training utterances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.data.speech.corpus import SpeechCorpus
from signloom.features.acoustic import Acoustics

SAMPLE = 128
"""Utterances that are measured."""
LEAST_STD = 1e-2


def measure(
    corpus: SpeechCorpus, acoustics: Acoustics, *, seed: int = 0
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give mean and floored standard deviation of each feature [features].

    Args:
        corpus: Whose training utterances are measured.
        acoustics: How sound becomes features.
        seed: Decides which.
    """
    rng = np.random.default_rng(seed)
    utterances = corpus.draw(rng, split="train", size=SAMPLE, pool=1)
    rows = np.concatenate([acoustics.compute(one.read()) for one in utterances])
    std = np.maximum(rows.std(axis=0, dtype=np.float64), LEAST_STD)
    return rows.mean(axis=0, dtype=np.float64).astype(np.float32), std.astype(np.float32)
