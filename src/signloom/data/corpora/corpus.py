"""What every corpus of production offers, built on the fly or recorded."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from signloom.data.example import Example
from signloom.poses.normalize import Standardiser
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import Unit


@runtime_checkable
class Corpus(Protocol):
    """Utterances to learn from, tokenised."""

    @property
    def kind(self) -> str:
        """What is signed, in honest words: `fingerspelling` or `signing`."""

    @property
    def unit(self) -> Unit:
        """What a token is: `letters`, `words` or `glosses`."""

    @property
    def language(self) -> str:
        """ISO 639-3 code of the sign language."""

    @property
    def spoken_language(self) -> str:
        """ISO 639-1 code of the spoken language."""

    @property
    def fps(self) -> float:
        """Frames per second."""

    @property
    def max_tokens(self) -> int:
        """Most tokens of an utterance."""

    @property
    def max_frames(self) -> int:
        """Frames of the longest utterance."""

    @property
    def vocabulary(self) -> Vocabulary:
        """Tokens and their ids."""

    @property
    def standardiser(self) -> Standardiser:
        """Mean and spread of the features of training utterances."""

    def sample(self, rng: np.random.Generator) -> Example:
        """Draw a training utterance as it is."""

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Example]:
        """Draw a batch of utterances.

        Training utterances are drawn `pool` batches at a time and the batch is cut from them
        sorted by length, so that little of it is padding.

        Args:
            rng: Draws everything.
            split: `train`, `dev` or `test`.
            size: Utterances.
            pool: Batches that are drawn to be sorted.
        """

    def check_batch(self, size: int) -> None:
        """Refuse a batch that the corpus cannot fill.

        Raises:
            ConfigError: It is larger than the words of validation.
        """
