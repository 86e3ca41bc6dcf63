"""The poses of fingerspelling, built on the fly in one or several languages, to be read as letters.

With several languages each utterance begins the decoder with its language's tag, `<ase>`: the same
handshape is another letter elsewhere. Training utterances are roughened as production roughens
them, and a few are held still, of which nothing is to be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.pair_corpus import SourceKind
from signloom.data.corpora.spellers import Spellers
from signloom.data.example import Example
from signloom.data.pair import Pair
from signloom.data.roughening import roughen_some
from signloom.poses.normalize import NUM_FEATURES, to_features
from signloom.tokens.alphabet import PAD, REPEAT, SPACE
from signloom.tokens.targets import END, START, start_of, tag_of
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import UNKNOWN, Unit

VALIDATION_WORDS = 40
"""Words of each language that `pairs` builds."""
STILL_SHARE = 0.05


class SpelledPoses:
    """A corpus of poses and what they spell.

    Args:
        languages: ISO 639-3 codes of the sign languages.

    Raises:
        MissingExtraError: What fingerspelling is built of is not installed.
        FormatError: A language has no usable clip.
    """

    kind = "fingerspelling"
    unit: Unit = "letters"
    source_kind: SourceKind = "poses"
    source_vocabulary = None
    num_features = NUM_FEATURES

    def __init__(self, languages: Sequence[str]) -> None:
        self.languages = tuple(languages)
        self.spellers = Spellers(languages)
        self.spoken_language = self.spellers.spoken_language
        self.max_tokens = self.spellers.max_tokens
        self.max_source = self.spellers.max_frames
        shown = (REPEAT, SPACE, *self.spellers.letters)
        self.vocabulary = Vocabulary((PAD, UNKNOWN, START, END, *self.tags, *shown))
        self.gloss_vocabulary = Vocabulary((PAD, *shown))

    @property
    def tags(self) -> tuple[str, ...]:
        """Start token of each language; of a single language none."""
        if len(self.languages) == 1:
            return ()
        return tuple(map(tag_of, self.languages))

    @property
    def mean(self) -> NDArray[np.float32]:
        """Mean of each feature over all languages [150]."""
        return self.spellers.standardiser.mean

    @property
    def std(self) -> NDArray[np.float32]:
        """Spread of each feature over all languages, floored [150]."""
        return self.spellers.standardiser.std

    def pairs(self, split: str) -> Sequence[Pair]:
        """Build the same words of a held-out split, language after language."""
        if split not in self._built:
            rng = np.random.default_rng([0, len(split)])
            texts = [
                (number, text)
                for number, one in enumerate(self.spellers.each)
                for text in one.heldout_texts(split, VALIDATION_WORDS)
            ]
            self._built[split] = [self._pair(one) for one in self.spellers.build(texts, rng)]
        return self._built[split]

    def draw(self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4) -> list[Pair]:
        """Draw a batch, each utterance of a language by chance; see `PairCorpus`."""
        if split != "train":
            pairs = self.pairs(split)
            return [pairs[int(place)] for place in rng.integers(len(pairs), size=size)]
        built = self.spellers.draw(rng, size=size, pool=pool)
        roughened, still = roughen_some(built, rng, still_share=STILL_SHARE)
        return [
            self._pair(example, still=held) for example, held in zip(roughened, still, strict=True)
        ]

    def _pair(self, example: Example, *, still: bool = False) -> Pair:
        tokens = () if still else example.tokens
        return Pair(
            example.name,
            to_features(example.frames),
            tokens,
            "" if still else example.text,
            glosses=tokens,
            start=start_of(example.language, self.languages),
        )

    @cached_property
    def _built(self) -> dict[str, list[Pair]]:
        return {}
