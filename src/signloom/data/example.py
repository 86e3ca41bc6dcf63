"""One utterance of a corpus: its text, its poses and, where there are any, its pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Span(NamedTuple):
    """A range of frames, end exclusive."""

    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Example:
    """Text and signing that belong together.

    Attributes:
        name: What messages call it.
        text: The text that is signed.
        tokens: The text, cut into tokens.
        frames: Positions in shoulder widths, float32 [frames, 50, 3].
        spans: When each token is signed; as many as tokens, or none when nobody knows.
        fps: Frames per second.
        glosses: The glosses that are signed, where they are known.
        signer: Who signs, where it is known.
        language: ISO 639-3 code of the sign language, where a corpus has several.
        confidence: 0 (not seen) to 1 of each joint, float32 [frames, 50]; None where all count.
        pictures: Reads the film, uint8 [frames, height, width, 3]; None where there is none.
    """

    name: str
    text: str
    tokens: tuple[str, ...]
    frames: NDArray[np.float32]
    spans: tuple[Span, ...]
    fps: float = 25.0
    glosses: tuple[str, ...] = ()
    signer: str = ""
    language: str = ""
    confidence: NDArray[np.float32] | None = None
    pictures: Callable[[], NDArray[np.uint8]] | None = None

    @property
    def certainty(self) -> NDArray[np.float32]:
        """Confidence of each joint [frames, 50]; 1 throughout where none is given."""
        if self.confidence is None:
            return np.ones(self.frames.shape[:2], dtype=np.float32)
        return self.confidence

    @property
    def num_frames(self) -> int:
        """Number of frames."""
        return int(self.frames.shape[0])
