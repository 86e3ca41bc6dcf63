"""Fingerspelling of several languages side by side: who spells what, with one set of letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.example import Example
from signloom.poses.normalize import STD_FLOOR, Standardiser


class Spellers:
    """The fingerspelling of one or several sign languages.

    Args:
        languages: ISO 639-3 codes.

    Attributes:
        each: Who spells, in the order of the languages.
        letters: The letters of all of them, sorted.

    Raises:
        MissingExtraError: What fingerspelling is built of is not installed.
        FormatError: A language has no usable clip.
    """

    def __init__(self, languages: Sequence[str]) -> None:
        self.languages = tuple(languages)
        self.each = [Fingerspelling(language) for language in self.languages]
        self.spoken_language = self.each[0].spoken_language
        self.max_tokens = max(one.max_tokens for one in self.each)
        self.max_frames = max(one.max_frames for one in self.each)
        self.letters = sorted({letter for one in self.each for letter in one.alphabet.letters})

    @cached_property
    def standardiser(self) -> Standardiser:
        """Mean and spread of the features over all languages."""
        means = np.stack([one.standardiser.mean for one in self.each]).astype(np.float64)
        stds = np.stack([one.standardiser.std for one in self.each]).astype(np.float64)
        mean = means.mean(0)
        std = np.sqrt((stds**2 + means**2).mean(0) - mean**2)
        return Standardiser(mean.astype(np.float32), np.maximum(std, STD_FLOOR).astype(np.float32))

    def draw(self, rng: np.random.Generator, *, size: int, pool: int) -> list[Example]:
        """Draw jittered training utterances, each of a language by chance, of about one length.

        Args:
            rng: Draws everything.
            size: Utterances.
            pool: Batches that are drawn, of which one is cut sorted by length.
        """
        numbers = rng.integers(len(self.each), size=size * pool).tolist()
        texts = [(number, self.each[number].random_text(rng)) for number in numbers]
        texts.sort(key=lambda one: len(one[1]))
        first = size * int(rng.integers(pool))
        return [
            self._named(number, self.each[number].build(text, rng, jitter=True))
            for number, text in texts[first : first + size]
        ]

    def build(self, texts: Sequence[tuple[int, str]], rng: np.random.Generator) -> list[Example]:
        """Build utterances as they are, each of the language of a number."""
        return [self._named(number, self.each[number].build(text, rng)) for number, text in texts]

    def _named(self, number: int, example: Example) -> Example:
        language = self.languages[number]
        return replace(example, name=f"{language} {example.name}", language=language)
