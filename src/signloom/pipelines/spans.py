"""When each letter is signed.

The production model has no alignment of its own yet, so spans are estimated: the frames between
raising and lowering the hand, shared out evenly. A result says so (`spans_estimated`); whoever
has a true alignment builds the same `LetterSpan` from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from signloom.tokens.alphabet import REPEAT, SPACE


@dataclass(frozen=True)
class LetterSpan:
    """The time of one letter.

    Attributes:
        letter: The letter, in lower case; the second of a doubled letter is named like the first.
        start_s: Seconds from the start of the production.
        end_s: Seconds, at least `start_s`.
    """

    letter: str
    start_s: float
    end_s: float


def estimate_spans(
    tokens: Sequence[str], num_frames: int, *, edge_frames: int, first_frame: int, fps: float
) -> tuple[LetterSpan, ...]:
    """Share the frames of a passage out evenly over its tokens; pauses get no span.

    Args:
        tokens: Tokens of the passage, at least 1.
        num_frames: Frames of the passage.
        edge_frames: Frames at either end spent raising and lowering the hand; at most a quarter
            of the passage counts.
        first_frame: Where the passage starts in the production.
        fps: Frames per second.

    Example:
        >>> estimate_spans(["a", " ", "b"], 16, edge_frames=2, first_frame=0, fps=1.0)[1]
        LetterSpan(letter='b', start_s=10.0, end_s=14.0)
    """
    edge = min(edge_frames, num_frames // 4)
    pace = (num_frames - 2 * edge) / len(tokens)
    spans = []
    letter = ""
    for index, token in enumerate(tokens):
        letter = letter if token == REPEAT else token
        if letter != SPACE:
            start = first_frame + edge + index * pace
            spans.append(LetterSpan(letter, round(start / fps, 3), round((start + pace) / fps, 3)))
    return tuple(spans)
