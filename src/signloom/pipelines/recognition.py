"""What a recognition comes to: what is read, when each token is signed, how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from signloom.pipelines.recognition_steps import Steps
from signloom.pipelines.token_spans import (
    DIGITS,
    UNCERTAIN,
    TokenSpan,
    geometric_mean,
    lingering,
    meant_places,
    parted_words,
)
from signloom.poses.captions import Caption
from signloom.search.ctc_beam import Labelling
from signloom.search.ctc_spans import align
from signloom.tokens.alphabet import REPEAT, SPACE
from signloom.tokens.sentences import join_tokens
from signloom.tokens.vocabulary import Vocabulary

REPORT_VERSION = 1
"""Goes up when a key of the report changes its meaning or goes away."""
Unit = Literal["letters", "glosses"]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One reading of a recording."""

    text: str
    """What is read: letters as they are spelled, glosses parted by spaces."""
    tokens: tuple[str, ...]
    """Its tokens."""
    spans: tuple[TokenSpan, ...]
    """When each of them is signed, and the geometric mean of its probability over that time; pauses
    between words have none."""
    confidence: float
    """Geometric mean of the confidences of the spans, 0 to 1; 0 where nothing is read."""
    log_prob: float
    """Natural log-probability by the model that sees, all ways to sign it in that time together."""
    score: float
    """The same with the language model and the bonus, by which readings are compared."""

    def to_dict(self) -> dict[str, Any]:
        """Give it ready for JSON."""
        numbers = ("confidence", "log_prob", "score")
        rounded = {name: round(getattr(self, name), DIGITS) for name in numbers}
        spans = [span.to_dict() for span in self.spans]
        return vars(self) | {"tokens": list(self.tokens), "spans": spans} | rounded


@dataclass(frozen=True, kw_only=True)
class Recognition(Reading):
    """The best reading, and all that must be said about it."""

    best: tuple[Reading, ...]
    """The readings found, best first; the first is this one."""
    kind: str
    """What was read in honest words: `fingerspelling` is letters, not signing."""
    unit: Unit
    """What a token is."""
    language: str
    """ISO 639-3 code of the sign language."""
    duration_s: float
    """Seconds of the recording."""
    num_pieces: int
    """Pieces that it was cut into; 0 where nobody is seen."""
    warnings: tuple[str, ...]
    """What is wrong with the recording, or that nothing was read, each a sentence."""
    model: str
    """Name of the model package."""
    model_id: str
    """Its id, SHA-256."""
    beam: int
    """Beginnings that were kept a step; 1 for the best path."""
    language_model_weight: float
    """What the language model counted; 0 without one."""

    @property
    def is_uncertain(self) -> bool:
        """Whether the confidence is below one half, or nothing was read."""
        return self.confidence < UNCERTAIN or not self.text

    @property
    def cues(self) -> tuple[Caption, ...]:
        """When each word or gloss is signed; each stays a second unless another follows."""
        words = parted_words(self.tokens, self.spans)
        if self.unit == "glosses":
            words = [span.caption for span in self.spans]
        return lingering(words, until_s=self.duration_s)

    def to_dict(self) -> dict[str, Any]:
        """Give the report, ready for JSON."""
        report = super().to_dict()
        model = {"name": report.pop("model"), "id": report.pop("model_id")}
        return (
            {"format_version": REPORT_VERSION}
            | report
            | {
                "uncertain": self.is_uncertain,
                "duration_s": round(self.duration_s, 3),
                "best": [one.to_dict() for one in self.best],
                "warnings": list(self.warnings),
                "model": model,
            }
        )


def describe(
    found: Labelling, steps: Steps, vocabulary: Vocabulary, *, unit: Unit, fps: float
) -> Reading:
    """Say what a search found.

    Args:
        found: Ids and scores.
        steps: What it was found in.
        vocabulary: What the ids stand for.
        unit: What a token is.
        fps: Frames per second of the model.
    """
    tokens = vocabulary.decode(found.ids)
    placed = align(steps.log_probs, found.ids)
    kept = meant_places(tokens) if unit == "letters" else list(range(len(tokens)))
    tokens, placed = tuple(tokens[one] for one in kept), [placed[one] for one in kept]
    spans = []
    name = ""
    for token, span in zip(tokens, placed, strict=True):
        name = name if token == REPEAT else token
        if token != SPACE:
            start, end = int(steps.starts[span.start]), int(steps.ends[span.end - 1])
            spans.append(TokenSpan(name, start / fps, end / fps, span.confidence))
    return Reading(
        text=join_tokens(tokens, unit),
        tokens=tokens,
        spans=tuple(spans),
        confidence=geometric_mean([span.confidence for span in spans]),
        log_prob=found.log_prob,
        score=found.score,
    )
