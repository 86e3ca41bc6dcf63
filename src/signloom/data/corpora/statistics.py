"""Mean and spread of a corpus's features, and of their velocity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from signloom.data.example import Example
from signloom.poses.normalize import NUM_FEATURES, Standardiser, to_features

VELOCITY_STD_FLOOR = 0.02
_SAMPLES = 400


@runtime_checkable
class SampledCorpus(Protocol):
    """A corpus that training utterances can be drawn from."""

    def sample(self, rng: np.random.Generator) -> Example:
        """Draw a training utterance as it is."""


@runtime_checkable
class StandardisedCorpus(SampledCorpus, Protocol):
    """A corpus whose features have known mean and spread."""

    @property
    def standardiser(self) -> Standardiser:
        """Mean and spread of the features."""


def fit_standardiser(
    corpus: SampledCorpus, *, seed: int = 0, samples: int = _SAMPLES
) -> Standardiser:
    """Measure mean and spread of the features over training utterances without jitter."""
    return Standardiser.fit(np.concatenate(list(_features(corpus, seed=seed, samples=samples))))


def velocity_std(
    corpus: StandardisedCorpus, *, span: int, seed: int = 0, samples: int = _SAMPLES
) -> NDArray[np.float32]:
    """Measure the spread of the velocity of standardised features (PSAT-RS eq. 3).

    Velocity is the difference over `span` frames divided by `span`, the first frame repeated.

    Args:
        corpus: The corpus.
        span: Frames between the two positions; 0 (no velocity) gives ones.
        seed: Decides the texts.
        samples: Number of utterances.

    Returns:
        float32 [150], at least .02.
    """
    if span == 0:
        return np.ones(NUM_FEATURES, dtype=np.float32)
    differences = []
    for features in _features(corpus, seed=seed, samples=samples):
        frames = corpus.standardiser.apply(features)
        before = np.concatenate([np.repeat(frames[:1], span, axis=0), frames])[: len(frames)]
        differences.append((frames - before) / span)
    spread = np.concatenate(differences).astype(np.float64).std(axis=0)
    return np.asarray(np.maximum(spread, VELOCITY_STD_FLOOR), dtype=np.float32)


def _features(corpus: SampledCorpus, *, seed: int, samples: int) -> Iterator[NDArray[np.float32]]:
    rng = np.random.default_rng(seed)
    for _ in range(samples):
        yield to_features(corpus.sample(rng).frames)
