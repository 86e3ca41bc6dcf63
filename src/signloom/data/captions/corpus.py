"""Captioned pictures and their features, as a corpus to learn from."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from signloom.data.captions.captioned import Captioned
from signloom.data.readers.reading import About
from signloom.errors import ConfigError
from signloom.features.store import PictureFeatures
from signloom.tokens.ptb import ptb_tokens
from signloom.tokens.targets import END, START
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import learn_vocabulary

_log = logging.getLogger(__name__)
Tokenised = tuple[tuple[str, ...], ...]
"""Captions, each cut into tokens."""


class CaptionCorpus:
    """Pictures whose features are at hand, with tokenised captions.

    Args:
        splits: Pictures and captions of `train`, `dev` and `test`.
        features: Features of the pictures; one without any, or of which nothing is said, is left
            out, with a warning.
        least: How often a word must occur in training not to be `<unk>`.
        max_words: Longer captions are cut in training.
        spoken_language: ISO 639-1 code of the captions.
        about: What the data is called, and its licence.
        taught: What a teacher says of training pictures, tokenised, by their names; where it says
            nothing, what people say stays.
        join: Whether this joins what people say instead of replacing it.

    Raises:
        ConfigError: No picture of `train` or of `dev` is left.
    """

    def __init__(
        self,
        splits: Mapping[str, Sequence[Captioned]],
        features: PictureFeatures,
        *,
        least: int = 5,
        max_words: int = 20,
        spoken_language: str = "en",
        about: About | None = None,
        taught: Mapping[str, Tokenised] | None = None,
        join: bool = False,
    ) -> None:
        self.features, self.spoken_language = features, spoken_language
        self.source = about.name if about else ""
        self.licence = about.licence if about else "none stated"
        self.max_tokens = max_words
        self._kept = {split: self._with_features(split, rows) for split, rows in splits.items()}
        for split in ("train", "dev"):
            if not self._kept.get(split):
                raise ConfigError(
                    f"The corpus must have a picture of `{split}` with features and a caption, but "
                    "has none. `signloom data features` computes features, and `signloom data "
                    "validate` counts the pictures of each split."
                )
        train = self._kept["train"]
        tokens = (caption for one in train for caption in one.tokens)
        self.vocabulary: Vocabulary = learn_vocabulary(tokens, least=least, special=(START, END))
        self._references = {one.name: one.tokens for one in train}
        if taught is not None:
            train = [self._taught(one, taught, join=join) for one in train]
        self._kept["train"] = [self._cut(one, max_words) for one in train]

    def examples(self, split: str) -> Sequence[Captioned]:
        """List the pictures of a split; of dev and test with captions as people wrote them."""
        return self._kept.get(split, [])

    def references(self, one: Captioned) -> Tokenised:
        """Give what people say of a picture, also where a teacher's captions are learned."""
        return self._references.get(one.name, one.tokens)

    def draw(self, rng: np.random.Generator, *, split: str, size: int) -> list[Captioned]:
        """Draw pictures without replacement, and again where there are too few."""
        rows = self._kept[split]
        rounds = -(-size // len(rows))
        places = np.concatenate([rng.permutation(len(rows)) for _ in range(rounds)])[:size]
        return [rows[int(place)] for place in places]

    def _with_features(self, split: str, rows: Sequence[Captioned]) -> list[Captioned]:
        told = (
            replace(one, tokens=_said(map(ptb_tokens, one.captions)))
            for one in rows
            if one.name in self.features
        )
        kept = [one for one in told if one.tokens]
        if len(kept) < len(rows):
            names = {one.name for one in kept}
            absent = next(one.name for one in rows if one.name not in names)
            _log.warning(
                f"{len(rows) - len(kept)} of {len(rows)} pictures of {split} have no features, or "
                f"no caption of a word, and are left out, the first {absent}."
            )
        return kept

    def _taught(self, one: Captioned, taught: Mapping[str, Tokenised], *, join: bool) -> Captioned:
        if one.name not in taught:
            raise ConfigError(
                f"`corpus.taught` must hold captions of every training picture, but has none of "
                f"{one.name}. Let `signloom distill` finish."
            )
        said = _said(taught[one.name])
        return replace(one, tokens=(*(one.tokens if join or not said else ()), *said))

    def _cut(self, one: Captioned, max_words: int) -> Captioned:
        return replace(one, tokens=tuple(each[:max_words] for each in one.tokens))


def _said(captions: Iterable[tuple[str, ...]]) -> Tokenised:
    """Leave captions of no word out."""
    return tuple(each for each in captions if each)
