"""Recorded signing that `signloom data prepare` has put in order, as a corpus to learn from.

Tokens are the words of the text, or the glosses. The vocabulary is that of the training split;
what else occurs is `<unk>`. Nothing is jittered: recordings differ by themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from signloom.data.corpora.drawing import draw_clips
from signloom.data.example import Example
from signloom.data.prepared import PreparedCorpus
from signloom.errors import ConfigError
from signloom.poses.normalize import Standardiser, to_features
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import Unit, known_tokens, learn_vocabulary, split_glosses, split_words

_log = logging.getLogger(__name__)


class Recorded:
    """A prepared corpus, tokenised.

    Args:
        folder: What `signloom data prepare` wrote.
        unit: What a token is.
        least: How often a token must occur in training not to be `<unk>`.
        max_frames: Longer utterances are left out of training and validation.

    Raises:
        FormatError: The folder holds no prepared corpus.
        ConfigError: It has no training utterance that fits.
        MissingExtraError: `pyarrow` is not installed.
    """

    def __init__(
        self,
        folder: Path,
        *,
        unit: Literal["words", "glosses"] = "words",
        least: int = 1,
        max_frames: int = 300,
    ) -> None:
        self.prepared = PreparedCorpus.open(folder)
        card = self.prepared.card
        self.unit: Unit = unit
        self.kind, self.language = str(card["kind"]), str(card["language"])
        self.spoken_language, self.fps = str(card["spoken_language"]), float(card["fps"])
        self._longest_allowed = max_frames
        self._kept: dict[str, list[Example]] = {}
        rows = self._read("train")
        if not rows:
            raise ConfigError(
                f"{folder} must have a training utterance of at most {max_frames} frames with "
                f"{unit}, but has none. Set `corpus.max_frames`, or prepare it with another split."
            )
        self.vocabulary: Vocabulary = learn_vocabulary((row.tokens for row in rows), least=least)
        self._keep("train", rows)
        self.max_tokens = max(len(row.tokens) for row in rows)
        self.max_frames = max(row.num_frames for row in rows)

    @cached_property
    def standardiser(self) -> Standardiser:
        """Mean and spread of the features over the training split."""
        return Standardiser.fit(
            np.concatenate([to_features(row.frames) for row in self.examples("train")])
        )

    def examples(self, split: str) -> Sequence[Example]:
        """List the utterances of a split that fit, tokenised; of an absent split none."""
        if split not in self._kept:
            self._keep(split, self._read(split))
        return self._kept[split]

    def sample(self, rng: np.random.Generator) -> Example:
        """Draw a training utterance."""
        rows = self.examples("train")
        return rows[int(rng.integers(len(rows)))]

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Example]:
        """Draw a batch; see `Corpus`. Without a validation split, training utterances serve."""
        rows = self.examples(split) or self.examples("train")
        return draw_clips(rows, rng, train=split == "train", size=size, pool=pool)

    def check_batch(self, size: int) -> None:
        """Accept any size: what is fewer than a batch is drawn more than once."""

    def _keep(self, split: str, rows: Sequence[Example]) -> None:
        """Keep a split, with `<unk>` for what the vocabulary does not have."""
        self._kept[split] = [
            replace(row, tokens=known_tokens(row.tokens, self.vocabulary)) for row in rows
        ]

    def _read(self, split: str) -> list[Example]:
        """Read a split, with tokens that the vocabulary may not have."""
        if split not in self.prepared.splits:
            return []
        rows = [replace(row, tokens=self.tokens_of(row)) for row in self.prepared.examples(split)]
        fit = [row for row in rows if row.tokens and row.num_frames <= self._longest_allowed]
        if len(fit) < len(rows):
            _log.warning(
                "%d of %d utterances of `%s` are left out: no %s, or over %d frames",
                *(len(rows) - len(fit), len(rows), split, self.unit, self._longest_allowed),
            )
        return fit

    def tokens_of(self, row: Example) -> tuple[str, ...]:
        """Cut an utterance's text or glosses into tokens."""
        if self.unit == "glosses":
            return split_glosses(" ".join(row.glosses))
        return split_words(row.text, spoken_language=self.spoken_language)
