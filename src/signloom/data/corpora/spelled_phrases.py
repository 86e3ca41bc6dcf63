"""Phrases of fingerspelling in one or several languages, built on the fly, to be read as letters.

Training texts are those of production, phrases of several words among them. What is held out are
phrases of two to four words that no training text has.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.corpora.spellers import Spellers
from signloom.data.example import Example
from signloom.poses.normalize import Standardiser
from signloom.tokens.alphabet import PAD, REPEAT, SPACE
from signloom.tokens.spelling import spell
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import Unit

PHRASES = {"dev": 25, "test": 100}
"""Held-out phrases of each language."""
WORDS = (2, 4)


class SpelledPhrases:
    """A corpus of spelled phrases; see `ClipCorpus`.

    Args:
        languages: ISO 639-3 codes of the sign languages.

    Raises:
        MissingExtraError: What fingerspelling is built of is not installed.
        FormatError: A language has no usable clip.
    """

    kind = "fingerspelling"
    unit: Unit = "letters"
    source = (
        "utterances stitched from the letter clips of `spoken-to-signed` (MIT), one clip a letter"
    )

    def __init__(self, languages: Sequence[str]) -> None:
        self.languages = tuple(languages)
        self.spellers = Spellers(languages)
        self.spoken_language = self.spellers.spoken_language
        self.fps = self.spellers.each[0].fps
        self.max_frames = self.spellers.max_frames
        self.vocabulary = Vocabulary((PAD, REPEAT, SPACE, *self.spellers.letters))
        self._built: dict[str, list[Example]] = {"train": []}

    @cached_property
    def standardiser(self) -> Standardiser:
        """Mean and spread of the features over all languages."""
        return self.spellers.standardiser

    def examples(self, split: str) -> Sequence[Example]:
        """Build the same held-out phrases of a split, language after language; of train none."""
        if split not in self._built:
            rng = np.random.default_rng([0, len(split)])
            texts = [
                (number, text)
                for number, one in enumerate(self.spellers.each)
                for text in held_out_phrases(one, split, PHRASES[split], rng)
            ]
            self._built[split] = self.spellers.build(texts, rng)
        return self._built[split]

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Example]:
        """Draw a batch; see `ClipCorpus`."""
        if split == "train":
            return self.spellers.draw(rng, size=size, pool=pool)
        rows = self.examples(split)
        return [rows[int(place)] for place in rng.integers(len(rows), size=size)]


def held_out_phrases(
    speller: Fingerspelling, split: str, count: int, rng: np.random.Generator
) -> list[str]:
    """Make phrases of two to four held-out words that fit an utterance."""
    words = speller.heldout_texts(split, 4 * count)
    phrases: list[str] = []
    while len(phrases) < count:
        size = int(rng.integers(WORDS[0], WORDS[1] + 1))
        phrase = " ".join(words[int(place)] for place in rng.integers(len(words), size=size))
        if len(spell(phrase, speller.alphabet)) <= speller.max_tokens:
            phrases.append(phrase)
    return phrases
