"""What every corpus of recognition offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from signloom.data.example import Example
from signloom.poses.normalize import Standardiser
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import Unit


@runtime_checkable
class ClipCorpus(Protocol):
    """Signed clips to learn from, and what each says; tokens are in the vocabulary."""

    @property
    def kind(self) -> str:
        """What is signed, in honest words: `fingerspelling` or `signing`."""

    @property
    def unit(self) -> Unit:
        """What a token is: `letters` or `glosses`."""

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639-3 codes of the sign languages; with several, each clip names its own."""

    @property
    def spoken_language(self) -> str:
        """ISO 639-1 code of the spoken language; of several sign languages the first one's."""

    @property
    def fps(self) -> float:
        """Frames per second."""

    @property
    def vocabulary(self) -> Vocabulary:
        """Tokens and their ids; id 0 is padding and the blank of CTC."""

    @property
    def standardiser(self) -> Standardiser:
        """Mean and spread of the features of training clips."""

    @property
    def max_frames(self) -> int:
        """Frames of the longest training clip."""

    @property
    def source(self) -> str:
        """What the data is and under which licence, in a line, for the card."""

    def examples(self, split: str) -> Sequence[Example]:
        """List the clips of a split, always the same; of one that is built, held-out ones."""

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Example]:
        """Draw a batch of clips.

        Training clips are drawn `pool` batches at a time and the batch is cut from them sorted by
        length, so that little of it is padding.

        Args:
            rng: Draws everything.
            split: `train`, `dev` or `test`.
            size: Clips.
            pool: Batches that are drawn to be sorted.
        """
