"""What every corpus of speech offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from signloom.data.speech.utterance import Utterance
from signloom.tokens.transcripts import SpokenUnit
from signloom.tokens.vocabulary import Vocabulary


@runtime_checkable
class SpeechCorpus(Protocol):
    """Utterances to learn from, tokenised."""

    @property
    def source(self) -> str:
        """What the data is, for the card of a model."""

    @property
    def licence(self) -> str:
        """The licence of the data, or that none is stated."""

    @property
    def spoken_language(self) -> str:
        """ISO 639-1 code of what is said."""

    @property
    def unit(self) -> SpokenUnit:
        """What a token is: `words` or `characters`."""

    @property
    def rate(self) -> int:
        """Samples a second that sound is brought to."""

    @property
    def vocabulary(self) -> Vocabulary:
        """`<pad>` (the blank of CTC), `<unk>`, `<s>`, `</s>`, then what training says."""

    @property
    def max_s(self) -> float:
        """Seconds of the longest training utterance."""

    def examples(self, split: str) -> Sequence[Utterance]:
        """List the utterances of `train`, `dev` or `test`, always the same ones."""

    def draw(
        self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4
    ) -> list[Utterance]:
        """Draw a batch of utterances.

        Training utterances are drawn `pool` batches at a time and the batch is cut from them sorted
        by duration, so that little of it is padding.

        Args:
            rng: Draws everything.
            split: `train`, `dev` or `test`.
            size: Utterances.
            pool: Batches that are drawn to be sorted.
        """
