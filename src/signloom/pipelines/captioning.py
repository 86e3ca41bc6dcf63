"""What captioning comes to: a sentence, how sure it is, and what else might be said."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from signloom.pipelines.token_spans import DIGITS

REPORT_VERSION = 1
"""Goes up when a key of the report changes its meaning or goes away."""


@dataclass(frozen=True)
class Captioning:
    """One caption that was found.

    Attributes:
        text: Its words, in lower case and without punctuation.
        confidence: Geometric mean of the probabilities of its words, 0 to 1.
        score: What captions were ranked by: a log-probability, natural.
    """

    text: str
    confidence: float
    score: float

    def to_dict(self) -> dict[str, Any]:
        """Give it ready for JSON."""
        return {
            "text": self.text,
            "confidence": round(self.confidence, DIGITS),
            "score": round(self.score, DIGITS),
        }


@dataclass(frozen=True, kw_only=True)
class Caption:
    """What is said of a picture, and all that must be said about that."""

    text: str
    """The best caption, in lower case and without punctuation."""
    tokens: tuple[str, ...]
    """Its words."""
    confidence: float
    """Geometric mean of their probabilities, 0 to 1."""
    best: tuple[Captioning, ...]
    """The captions found, best first; the first is this one."""
    finished: bool
    """Whether it ends by itself, and not by its length."""
    kind: str
    """What was written, in honest words."""
    spoken_language: str
    """ISO 639-1 code of the caption."""
    group: int
    """Words that came at once."""
    beam: int
    """Captions that were kept a step."""
    width_px: int
    """Width of the picture; what is beside its middle square was not looked at."""
    height_px: int
    """Height of the picture."""
    warnings: tuple[str, ...]
    """What is wrong with the picture, each a sentence."""
    model: str
    """Name of the model package."""
    model_id: str
    """Its id, SHA-256."""

    def to_dict(self) -> dict[str, Any]:
        """Give the report, ready for JSON."""
        report = asdict(self)
        model = {"name": report.pop("model"), "id": report.pop("model_id")}
        return (
            {"format_version": REPORT_VERSION}
            | report
            | {
                "tokens": list(self.tokens),
                "confidence": round(self.confidence, DIGITS),
                "best": [one.to_dict() for one in self.best],
                "warnings": list(self.warnings),
                "model": model,
            }
        )
