"""One pair to translate: a source, which is glosses or features, and the sentence it means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from signloom.tokens.targets import START


@dataclass(frozen=True, eq=False)
class Pair:
    """Source and target that belong together.

    Attributes:
        name: What messages call it.
        source: Gloss tokens, or features of frames, float32 [frames, features].
        tokens: The target, cut into tokens.
        text: The target as people read it.
        glosses: What the encoder may be asked to recognise on the way; empty where nobody knows.
        start: Token that the decoder is begun with: `<s>`, or the tag of a language.
    """

    name: str
    source: tuple[str, ...] | NDArray[np.float32]
    tokens: tuple[str, ...]
    text: str
    glosses: tuple[str, ...] = ()
    start: str = START

    @property
    def length(self) -> int:
        """Tokens or frames of the source."""
        return len(self.source)
