"""When each letter is signed.

The production model has no alignment of its own yet, so spans are estimated: the frames between
raising and lowering the hand, shared out evenly. A result says so (`spans_estimated`); whoever
has a true alignment builds the same `LetterSpan` from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from signloom.tokens.alphabet import REPEAT, SPACE


@dataclass(frozen=True)
class LetterSpan:
    """The time of one letter.

    Attributes:
        letter: The letter, in lower case; the second of a doubled letter is named like the first.
        start_s: Seconds from the start of the production.
        end_s: Seconds, at least `start_s`.
        start_frame: The frame nearest to `start_s`.
        end_frame: The frame nearest to `end_s`, the first that is no longer the letter's.
        index: Place of the letter in the spelled text.
        word: Number of the letter's word in the spelled text, from 0.
    """

    letter: str
    start_s: float
    end_s: float
    start_frame: int
    end_frame: int
    index: int = 0
    word: int = 0


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
        LetterSpan(letter='b', start_s=10.0, end_s=14.0, start_frame=10, end_frame=14, ...)
    """
    edge = min(edge_frames, num_frames // 4)
    pace = (num_frames - 2 * edge) / len(tokens)
    spans = []
    letter = ""
    for index, token in enumerate(tokens):
        letter = letter if token == REPEAT else token
        if letter != SPACE:
            start = first_frame + edge + index * pace
            end = first_frame + edge + (index + 1) * pace
            seconds = round(start / fps, 3), round(end / fps, 3)
            spans.append(LetterSpan(letter, *seconds, round(start), round(end)))
    return tuple(spans)


def place_spans(spans: Iterable[LetterSpan], spelled: str) -> tuple[LetterSpan, ...]:
    """Say of each letter where it stands in the spelled text.

    Args:
        spans: All letters of the text, in order.
        spelled: Letters, and single spaces between words.

    Example:
        >>> spans = estimate_spans(["a", " ", "b"], 16, edge_frames=2, first_frame=0, fps=1.0)
        >>> [(span.index, span.word) for span in place_spans(spans, "a b")]
        [(0, 0), (2, 1)]
    """
    placed = []
    index = word = 0
    for span in spans:
        if spelled[index] == SPACE:
            index += 1
            word += 1
        placed.append(replace(span, index=index, word=word))
        index += len(span.letter)
    return tuple(placed)
