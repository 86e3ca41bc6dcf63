"""What a transcription comes to: what is said, when each token is, how sure that is.

Refinement keeps the number of tokens that CTC heard, so a token has the time of the one that it was
heard as: the best path of CTC's own transcript, which there always is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from signloom.pipelines.token_spans import (
    DIGITS,
    LINGER_S,
    UNCERTAIN,
    TokenSpan,
    geometric_mean,
    lingering,
    meant_places,
    parted_words,
)
from signloom.poses.captions import Caption
from signloom.search.ctc_reading import FLOOR
from signloom.search.ctc_spans import align
from signloom.search.refine import Refinement, Stop
from signloom.search.slots import Floats
from signloom.tokens.alphabet import SPACE
from signloom.tokens.transcripts import SpokenUnit, is_parted, join_transcript
from signloom.tokens.vocabulary import Vocabulary

REPORT_VERSION = 1
"""Goes up when a key of the report changes its meaning or goes away."""
CAPTION_CHARACTERS = 42
"""Characters of one subtitle, as broadcasters have them in a line."""


@dataclass(frozen=True)
class Said:
    """What is said in one passage.

    Attributes:
        tokens: Its tokens.
        spans: When each of them is said; spaces between words have none.
        heard: What CTC alone heard.
        iterations: Passes that refined it.
        was_cycle: Whether they came back to an earlier transcript.
    """

    tokens: tuple[str, ...] = ()
    spans: tuple[TokenSpan, ...] = ()
    heard: tuple[str, ...] = ()
    iterations: int = 0
    was_cycle: bool = False


@dataclass(frozen=True, kw_only=True)
class Transcription:
    """What is said in a recording, and all that must be said about it."""

    text: str
    """What is said."""
    tokens: tuple[str, ...]
    """Its tokens: words or characters."""
    spans: tuple[TokenSpan, ...]
    """When each of them is said, and its probability in the pass that wrote it; spaces between
    words have none."""
    confidence: float
    """Geometric mean of those probabilities, 0 to 1; 0 where nothing is heard."""
    ctc_text: str
    """What was heard before it was refined."""
    iterations: int
    """Passes that refined the passage that took the most."""
    was_cycle: bool
    """Whether one of them came back to an earlier transcript, and so would never have ended."""
    stop: Stop
    """When refinement was to end."""
    kind: str
    """What was heard, in honest words."""
    unit: SpokenUnit
    """What a token is."""
    spoken_language: str
    """ISO 639-1 code of what is said."""
    duration_s: float
    """Seconds of the recording."""
    num_passages: int
    """Passages that it was cut into; 0 where it is silent."""
    warnings: tuple[str, ...]
    """What is wrong with the recording, or that nothing is heard, each a sentence."""
    model: str
    """Name of the model package."""
    model_id: str
    """Its id, SHA-256."""

    @property
    def is_uncertain(self) -> bool:
        """Whether the confidence is below one half, or nothing was heard."""
        return self.confidence < UNCERTAIN or not self.text

    @property
    def cues(self) -> tuple[Caption, ...]:
        """Subtitles: what is said without a pause, up to a line; each stays a second."""
        glue = SPACE if is_parted(self.spoken_language) else ""
        words = [span.caption for span in self.spans]
        if glue and self.unit == "characters":
            words = parted_words(self.tokens, self.spans)
        lines: list[Caption] = []
        for start, end, word in words:
            longer = f"{lines[-1][2]}{glue}{word}" if lines else word
            if lines and start - lines[-1][1] < LINGER_S and len(longer) <= CAPTION_CHARACTERS:
                lines[-1] = (lines[-1][0], end, longer)
            else:
                lines.append((start, end, word))
        return lingering(lines, until_s=self.duration_s)

    def to_dict(self) -> dict[str, Any]:
        """Give the report, ready for JSON."""
        report = dict(vars(self))
        model = {"name": report.pop("model"), "id": report.pop("model_id")}
        return (
            {"format_version": REPORT_VERSION}
            | report
            | {
                "tokens": list(self.tokens),
                "spans": [span.to_dict() for span in self.spans],
                "confidence": round(self.confidence, DIGITS),
                "uncertain": self.is_uncertain,
                "duration_s": round(self.duration_s, 3),
                "warnings": list(self.warnings),
                "model": model,
            }
        )


def describe_passage(
    found: Refinement, first: Sequence[int], log_probs: Floats, vocabulary: Vocabulary
) -> Said:
    """Say what was found in a passage; its times are in steps from its start.

    Args:
        found: What refinement made of what CTC heard.
        first: Ids that CTC heard, as many.
        log_probs: What it heard them in [steps, tokens].
        vocabulary: What the ids stand for.
    """
    placed = align(np.maximum(log_probs, np.float32(FLOOR)), first)
    # Without a pass, the model is as sure as CTC was.
    sure = [math.exp(one) for one in found.log_probs] or [one.confidence for one in placed]
    tokens = vocabulary.decode(found.ids)
    kept = meant_places(tokens)
    spans = tuple(
        TokenSpan(tokens[one], float(placed[one].start), float(placed[one].end), sure[one])
        for one in kept
        if tokens[one] != SPACE
    )
    heard = vocabulary.decode(first)
    return Said(
        tokens=tuple(tokens[one] for one in kept),
        spans=spans,
        heard=tuple(heard[one] for one in meant_places(heard)),
        iterations=found.iterations,
        was_cycle=found.is_cycle,
    )


def placed_at(said: Said, heard_s: float, *, step_s: float, within_s: tuple[float, float]) -> Said:
    """Give a passage its times in the recording.

    Args:
        said: With times in steps.
        heard_s: When its first step begins, in seconds.
        step_s: Seconds of a step.
        within_s: When it begins and ends: what is heard may reach beyond it.
    """
    first_s, last_s = within_s

    def placed(steps: float) -> float:
        return min(max(heard_s + step_s * steps, first_s), last_s)

    spans = tuple(
        replace(span, start_s=placed(span.start_s), end_s=placed(span.end_s)) for span in said.spans
    )
    return replace(said, spans=spans)


def joined(
    passages: Sequence[Sequence[str]], *, unit: SpokenUnit, spoken_language: str
) -> tuple[str, ...]:
    """Give the tokens of passages one after another, with a space between where there is one.

    Example:
        >>> joined([["a"], [], ["b"]], unit="characters", spoken_language="en")
        ('a', ' ', 'b')
    """
    is_spaced = unit == "characters" and is_parted(spoken_language)
    tokens: list[str] = []
    for passage in filter(None, passages):
        if is_spaced and tokens:
            tokens.append(SPACE)
        tokens += passage
    return tuple(tokens)


def merged(passages: Sequence[Said], *, unit: SpokenUnit, spoken_language: str) -> Said:
    """Give what is said in passages that follow one another as if they were one."""
    manner: dict[str, Any] = {"unit": unit, "spoken_language": spoken_language}
    return Said(
        tokens=joined([one.tokens for one in passages], **manner),
        spans=tuple(span for one in passages for span in one.spans),
        heard=joined([one.heard for one in passages], **manner),
        iterations=max((one.iterations for one in passages), default=0),
        was_cycle=any(one.was_cycle for one in passages),
    )


def summed_up(
    passages: Sequence[Said], *, unit: SpokenUnit, spoken_language: str
) -> dict[str, Any]:
    """Give what a `Transcription` says of passages together, by name."""
    manner: dict[str, Any] = {"unit": unit, "spoken_language": spoken_language}
    whole = merged(passages, **manner)
    return manner | {
        "text": join_transcript(whole.tokens, **manner),
        "tokens": whole.tokens,
        "spans": whole.spans,
        "confidence": geometric_mean([span.confidence for span in whole.spans]),
        "ctc_text": join_transcript(whole.heard, **manner),
        "iterations": whole.iterations,
        "was_cycle": whole.was_cycle,
    }
