"""Which utterances make batch number `step`: a function of seed, split and step alone."""

from __future__ import annotations

import numpy as np

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.example import Example
from signloom.errors import ConfigError

SPLIT_SEEDS = {"train": 0, "dev": 1, "test": 2}


def step_rng(seed: int, split: str, step: int) -> np.random.Generator:
    """Make the generator of one batch."""
    return np.random.default_rng([seed, SPLIT_SEEDS[split], step])


def check_size(corpus: Fingerspelling, size: int) -> None:
    """Refuse a batch that has more utterances than the validation words.

    Raises:
        ConfigError: It has.
    """
    most = len(corpus.words("dev"))
    if size > most:
        raise ConfigError(
            f"`task.batch_size` must be at most {most}, the words of validation, but is {size}."
        )


def draw_examples(
    corpus: Fingerspelling, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
) -> list[Example]:
    """Build a batch of utterances.

    Training texts are drawn `pool` batches at a time, and the batch is cut from them sorted by
    length, so that little of it is padding; they are jittered. Other splits give single words.

    Args:
        corpus: Where utterances come from.
        rng: Draws texts, paces and jitter.
        split: `train`, `dev` or `test`.
        size: Utterances.
        pool: Batches that are drawn to be sorted.
    """
    if split == "train":
        texts = sorted((corpus.random_text(rng) for _ in range(size * pool)), key=len)
        first = size * int(rng.integers(pool))
        return [corpus.build(text, rng, jitter=True) for text in texts[first : first + size]]
    words = rng.choice(corpus.words(split), size, replace=False)
    return [corpus.build(str(word), rng) for word in words]
