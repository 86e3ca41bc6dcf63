"""Which utterances make batch number `step`: a function of seed, split and step alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from signloom.data.example import Example
from signloom.data.pair import Pair
from signloom.data.speech.utterance import Utterance

_Row = TypeVar("_Row", Pair, Example, Utterance)

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
    key = _length_of_pair if train else None
    return _draw(pairs, rng, key=key, size=size, pool=pool)


def draw_clips(
    clips: Sequence[Example], rng: np.random.Generator, *, train: bool, size: int, pool: int
) -> list[Example]:
    """Draw a batch of clips, as `draw_pairs` draws pairs."""
    return _draw(clips, rng, key=_length_of_clip if train else None, size=size, pool=pool)


def draw_utterances(
    utterances: Sequence[Utterance], rng: np.random.Generator, *, train: bool, size: int, pool: int
) -> list[Utterance]:
    """Draw a batch of spoken utterances, as `draw_pairs` draws pairs."""
    key = _length_of_utterance if train else None
    return _draw(utterances, rng, key=key, size=size, pool=pool)


def _length_of_pair(pair: Pair) -> tuple[int, int]:
    return pair.length, len(pair.tokens)


def _length_of_clip(clip: Example) -> int:
    return clip.num_frames


def _length_of_utterance(utterance: Utterance) -> float:
    return utterance.duration_s


def _draw(
    rows: Sequence[_Row],
    rng: np.random.Generator,
    *,
    key: Callable[[_Row], Any] | None,
    size: int,
    pool: int,
) -> list[_Row]:
    """Draw a batch; with a key, of `pool` batches one that is sorted by it."""
    wanted = size * pool if key else size
    rounds = -(-wanted // len(rows))
    places = np.concatenate([rng.permutation(len(rows)) for _ in range(rounds)])[:wanted]
    chosen = [rows[int(place)] for place in places]
    if key is None:
        return chosen
    chosen.sort(key=key)
    first = size * int(rng.integers(pool))
    return chosen[first : first + size]
