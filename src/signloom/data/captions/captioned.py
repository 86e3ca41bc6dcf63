"""One picture and what people say of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Captioned:
    """A picture and its captions.

    Attributes:
        name: Its file name without suffix; of COCO its number.
        path: Where the picture is; None where only its captions or its features are at hand.
        captions: What people say of it, as they wrote it.
        tokens: The same, cut into tokens; empty before a corpus has done so.
    """

    name: str
    path: Path | None
    captions: tuple[str, ...]
    tokens: tuple[tuple[str, ...], ...] = ()
