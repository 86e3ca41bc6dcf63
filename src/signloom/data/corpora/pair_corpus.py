"""What every corpus of translation offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from signloom.data.pair import Pair
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import Unit

SourceKind = Literal["poses", "features", "glosses"]


@runtime_checkable
class PairCorpus(Protocol):
    """Pairs of a source and a sentence to learn from, tokenised."""

    @property
    def kind(self) -> str:
        """What is signed, in honest words: `fingerspelling` or `signing`."""

    @property
    def unit(self) -> Unit:
        """What a token of the target is: `letters` or `words`."""

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639-3 codes of the sign languages; with several, each has its start token `<ase>`."""

    @property
    def spoken_language(self) -> str:
        """ISO 639-1 code of the target; of several languages the first one's."""

    @property
    def source_kind(self) -> SourceKind:
        """What is read: `poses`, `features` of another kind, or `glosses`."""

    @property
    def source_vocabulary(self) -> Vocabulary | None:
        """Tokens of the source; None where it is features."""

    @property
    def num_features(self) -> int:
        """Numbers of one frame; 0 where the source is tokens."""

    @property
    def mean(self) -> NDArray[np.float32]:
        """Mean of each feature over training [features]."""

    @property
    def std(self) -> NDArray[np.float32]:
        """Spread of each feature over training, floored [features]."""

    @property
    def vocabulary(self) -> Vocabulary:
        """Tokens of the target: `<pad>`, `<unk>`, `<s>`, `</s>`, tags of languages, the rest."""

    @property
    def gloss_vocabulary(self) -> Vocabulary | None:
        """What the encoder may be asked to recognise; id 0 is the blank. None without glosses."""

    @property
    def max_tokens(self) -> int:
        """Most tokens of a target in training."""

    @property
    def max_source(self) -> int:
        """Longest source in training, in tokens or frames."""

    def pairs(self, split: str) -> Sequence[Pair]:
        """List the pairs of `dev` or `test`, always the same ones."""

    def draw(self, rng: np.random.Generator, *, split: str, size: int, pool: int = 4) -> list[Pair]:
        """Draw a batch of pairs.

        Training pairs are drawn `pool` batches at a time and the batch is cut from them sorted by
        length, so that little of it is padding.

        Args:
            rng: Draws everything.
            split: `train`, `dev` or `test`.
            size: Pairs.
            pool: Batches that are drawn to be sorted.
        """
