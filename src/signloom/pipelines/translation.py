"""What a translation comes to: the text, how sure the model is of it, and what else it may be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from signloom.pipelines.token_spans import DIGITS, UNCERTAIN
from signloom.search.tokens import Hypothesis

REPORT_VERSION = 1
"""Goes up when a key of the report changes its meaning or goes away."""
_NUMBERS = ("score", "confidence", "spread")
_LISTS = ("token_confidences", "token_spreads")


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """One text that the source may mean."""

    text: str
    """The text."""
    tokens: tuple[str, ...]
    """Its tokens."""
    score: float
    """Sum of the log-probabilities over the length penalty, of several pieces summed."""
    confidence: float
    """Geometric mean of the probabilities of the tokens and ends, 0 to 1."""
    spread: float
    """How far the members are apart: mean standard deviation of those probabilities, 0 to 0.5."""
    token_confidences: tuple[float, ...]
    """Probability of each token, then of the end if it came."""
    token_spreads: tuple[float, ...]
    """Standard deviation of each of these among the members; 0 for a single one."""
    finished: bool
    """Whether the model came to an end before the most tokens that it may write."""

    def to_dict(self) -> dict[str, Any]:
        """Give it ready for JSON."""
        rounded = {name: round(getattr(self, name), DIGITS) for name in _NUMBERS}
        lists = {name: [round(one, DIGITS) for one in getattr(self, name)] for name in _LISTS}
        return vars(self) | rounded | {"tokens": list(self.tokens)} | lists


@dataclass(frozen=True, kw_only=True)
class Translation(Alternative):
    """The best text, and all that must be said about it."""

    best: tuple[Alternative, ...]
    """The texts found, best first; the first is this one."""
    kind: str
    """What was read in honest words: `fingerspelling` is letters, not signing."""
    language: str
    """ISO 639-3 code of the sign language."""
    unknown: tuple[str, ...]
    """Glosses of the source that the model does not know."""
    warnings: tuple[str, ...] = ()
    """What is wrong with the recording, each a sentence."""
    num_pieces: int
    """Pieces that the source was cut into."""
    models: tuple[str, ...]
    """Names of the model packages."""
    model_ids: tuple[str, ...]
    """Their ids, SHA-256."""
    beam: int
    """Hypotheses that were kept a step."""
    length_penalty: float
    """Exponent of the length penalty."""
    samples: int
    """Posterior samples whose predictions were averaged; 0 for the means."""
    seed: int
    """What decided the samples."""

    @property
    def is_uncertain(self) -> bool:
        """Whether the confidence is below one half, or nothing was read."""
        return self.confidence < UNCERTAIN or not self.text

    def to_dict(self) -> dict[str, Any]:
        """Give the report, ready for JSON."""
        report = super().to_dict()
        named = zip(report.pop("models"), report.pop("model_ids"), strict=True)
        return (
            {"format_version": REPORT_VERSION}
            | report
            | {
                "uncertain": self.is_uncertain,
                "best": [one.to_dict() for one in self.best],
                "unknown": list(self.unknown),
                "warnings": list(self.warnings),
                "models": [{"name": name, "id": package_id} for name, package_id in named],
            }
        )


def join_hypotheses(pieces: Sequence[Sequence[Hypothesis]], *, space: int) -> list[Hypothesis]:
    """Give the best hypotheses of a source of which each piece has its own.

    The space between two pieces takes the place of the first one's end. A piece in which nothing
    is read leaves no space.

    Args:
        pieces: Hypotheses of each piece, best first.
        space: Id of the space.

    Returns:
        As many as the most of a piece, best first.
    """
    most = max(map(len, pieces))
    found, *others = ([*piece] for piece in pieces)
    for other in others:
        pairs = sorted(product(found, other), key=lambda pair: -(pair[0].score + pair[1].score))
        found = [_joined(first, second, space=space) for first, second in pairs[:most]]
    return found


def without_edges(found: Hypothesis, space: int) -> Hypothesis:
    """Leave out the spaces at both ends of what was read of a piece: they are its pauses."""
    first, last = 0, len(found.ids)
    while first < last and found.ids[first] == space:
        first += 1
    while first < last and found.ids[last - 1] == space:
        last -= 1
    kept = [*range(first, last), *range(len(found.ids), len(found.log_probs))]
    if not kept:  # only spaces, and no end
        return found
    return replace(
        found,
        ids=found.ids[first:last],
        log_probs=tuple(found.log_probs[place] for place in kept),
        spreads=tuple(found.spreads[place] for place in kept),
    )


def _joined(first: Hypothesis, second: Hypothesis, *, space: int) -> Hypothesis:
    score, finished = first.score + second.score, first.finished and second.finished
    for one, other in ((first, second), (second, first)):
        if not one.ids:
            return Hypothesis(other.ids, score, other.log_probs, other.spreads, finished)
    # Where the first one came to no end, the movement alone says that a space follows.
    sure = () if first.finished else (0.0,)
    return Hypothesis(
        (*first.ids, space, *second.ids),
        score,
        (*first.log_probs, *sure, *second.log_probs),
        (*first.spreads, *sure, *second.spreads),
        finished,
    )


def describe(found: Hypothesis, tokens: Sequence[str], *, text: str) -> Alternative:
    """Say what a search found.

    Args:
        found: Ids and probabilities.
        tokens: What the ids stand for.
        text: What the tokens read.
    """
    return Alternative(
        text=text,
        tokens=tuple(tokens),
        score=float(found.score),
        confidence=float(found.confidence),
        spread=float(found.spread),
        token_confidences=tuple(math.exp(one) for one in found.log_probs),
        token_spreads=tuple(map(float, found.spreads)),
        finished=bool(found.finished),
    )
