"""When each token was signed or said, and what subtitles make of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from signloom.poses.captions import Caption
from signloom.tokens.alphabet import REPEAT, SPACE

DIGITS = 6
"""Digits after the point in a report."""
LINGER_S = 1.0
"""How long a subtitle stays after what it says, if nothing follows."""
UNCERTAIN = 0.5
"""Confidence below which a result is not to be relied upon."""


@dataclass(frozen=True)
class TokenSpan:
    """The time of one token.

    Attributes:
        token: The gloss, letter, word or character; the second of a doubled letter is named like
            the first.
        start_s: Seconds from the start of the recording.
        end_s: Seconds, after `start_s`. A token is where the model is surest of it, which is
            shorter than its movement or its sound.
        confidence: How sure the model is of it, 0 to 1.
    """

    token: str
    start_s: float
    end_s: float
    confidence: float

    @property
    def caption(self) -> Caption:
        """Its time and what it is, as subtitles take it."""
        return self.start_s, self.end_s, self.token

    def to_dict(self) -> dict[str, Any]:
        """Give it ready for JSON."""
        times = {name: round(getattr(self, name), 3) for name in ("start_s", "end_s")}
        return vars(self) | times | {"confidence": round(self.confidence, DIGITS)}


def geometric_mean(values: Sequence[float]) -> float:
    """Give the geometric mean; 0 of nothing.

    Example:
        >>> round(geometric_mean([0.5, 0.125]), 6), geometric_mean([])
        (0.25, 0.0)
    """
    if not values or min(values) <= 0:
        return 0.0
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def lingering(captions: Sequence[Caption], *, until_s: float) -> tuple[Caption, ...]:
    """Let each caption stay a second longer, unless another follows or the recording ends.

    Args:
        captions: In order.
        until_s: When the recording ends.

    Example:
        >>> lingering([(0.0, 0.5, "a"), (1.0, 1.5, "b")], until_s=1.75)
        ((0.0, 1.0, 'a'), (1.0, 1.75, 'b'))
    """
    nexts = [*(start for start, _, _ in captions), until_s][1:]
    return tuple(
        (start, max(end, min(after, end + LINGER_S)), text)
        for (start, end, text), after in zip(captions, nexts, strict=False)
    )


def parted_words(tokens: Sequence[str], spans: Sequence[TokenSpan]) -> list[Caption]:
    """Give start and end of each word that is spelled or written token by token.

    Args:
        tokens: Tokens, spaces between words among them.
        spans: Times of all but the spaces.

    Example:
        >>> spans = [TokenSpan(one, float(n), n + 0.5, 1.0) for n, one in enumerate("abc")]
        >>> parted_words(["a", "b", " ", "c"], spans)
        [(0.0, 1.5, 'ab'), (2.0, 2.5, 'c')]
    """
    words = []
    first = 0
    for is_pause, letters in groupby(tokens, key=lambda token: token == SPACE):
        if not is_pause:
            last = first + len(list(letters))
            word = spans[first:last]
            text = "".join(span.token for span in word)
            words.append((word[0].start_s, word[-1].end_s, text))
            first = last
    return words


def meant_places(tokens: Sequence[str]) -> list[int]:
    """Give the places of tokens that say something: no pause at an edge, none after another.

    Example:
        >>> meant_places([" ", "a", " ", " ", "b", " "])
        [1, 2, 4]
    """
    kept: list[int] = []
    last = SPACE
    for place, token in enumerate(tokens):
        if last != SPACE or token not in (SPACE, REPEAT):
            kept.append(place)
            last = token
    return kept[:-1] if kept and last == SPACE else kept
