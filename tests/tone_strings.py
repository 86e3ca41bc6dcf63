"""A corpus of speech that is made as it is read: strings of the tones of `tiny_transcriber`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from signloom.data.speech.utterance import Utterance
from signloom.tokens.transcripts import SpokenUnit
from signloom.tokens.vocabulary import Vocabulary
from tests.tiny_transcriber import RATE, TOKENS, WORDS, spoken


class ToneStrings:
    """A `SpeechCorpus` of strings of one to four tones."""

    source = "tones of sines"
    licence = "none is needed"
    spoken_language = "en"
    unit: SpokenUnit = "words"
    rate = RATE
    vocabulary = Vocabulary(TOKENS)
    max_s = 2.5

    def __init__(self, *, count: int = 7) -> None:
        self._count = count

    def examples(self, split: str) -> Sequence[Utterance]:
        rng = np.random.default_rng(len(split))
        return [_utterance(rng, f"{split}/{place}") for place in range(self._count)]

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Utterance]:
        return [_utterance(rng, f"{split}/{place}") for place in range(size)]


def _utterance(rng: np.random.Generator, name: str) -> Utterance:
    words = tuple(map(str, rng.choice(WORDS, int(rng.integers(1, 5)))))
    lengths = {"tone_s": 0.12, "gap_s": 0.06}
    return Utterance(
        name=name,
        text=" ".join(words),
        tokens=words,
        read=partial(spoken, *words, **lengths),
        duration_s=0.06 + 0.18 * len(words),
        speaker="sine",
    )
