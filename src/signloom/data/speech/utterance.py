"""One utterance of a speech corpus: what is said, and the sound of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Utterance:
    """Sound and words that belong together.

    Attributes:
        name: What messages call it.
        text: What is said, as people read it.
        tokens: The same, cut into tokens of the corpus's vocabulary.
        read: Gives the sound, mono float32 from -1 to 1 at the corpus's rate [samples]; raises
            `FormatError` if it does not hold.
        duration_s: How long it is, in seconds.
        speaker: Who speaks, where it is known.
    """

    name: str
    text: str
    tokens: tuple[str, ...]
    read: Callable[[], NDArray[np.float32]]
    duration_s: float
    speaker: str = ""
