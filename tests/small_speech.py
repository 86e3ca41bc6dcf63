"""A small corpus of speech to learn from: words are tones, short ones, in any order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from signloom.data.speech.utterance import Utterance
from signloom.tokens.transcripts import SpokenUnit
from signloom.tokens.vocabulary import Vocabulary
from tests.tiny_transcriber import RATE, spoken

WORDS = ("one", "three", "five")
TONE_S, GAP_S = 0.09, 0.04
MOST = 4


class Tones:
    """Utterances of up to 4 of the words."""

    source = "tones"
    licence = "none stated"
    spoken_language = "en"
    unit: SpokenUnit = "words"
    rate = RATE
    vocabulary = Vocabulary(("<pad>", "<unk>", "<s>", "</s>", *WORDS))
    max_s = MOST * (TONE_S + GAP_S) + GAP_S

    def examples(self, split: str) -> Sequence[Utterance]:
        rng = np.random.default_rng({"train": 0, "dev": 1, "test": 2}[split])
        return [self._utterance(rng, f"{split} {place}") for place in range(11)]

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Utterance]:
        return [self._utterance(rng, f"{split} {rng.integers(10**9)}") for _ in range(size)]

    def _utterance(self, rng: np.random.Generator, name: str) -> Utterance:
        words = tuple(rng.choice(WORDS, size=rng.integers(1, MOST + 1)).tolist())
        duration_s = len(words) * (TONE_S + GAP_S) + GAP_S
        read = partial(spoken, *words, tone_s=TONE_S, gap_s=GAP_S)
        return Utterance(name, " ".join(words), words, read, duration_s)
