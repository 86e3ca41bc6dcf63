"""Sentences nobody signed: signs cut out of recorded ones and put in another order.

For corpora that know when each gloss is signed. A sentence is drawn from the bigrams of the
training sentences, each sign from one of its takes, and the way between two signs is that of least
jerk. Such sentences are for training alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from signloom.data.example import Example, Span
from signloom.poses.transition import between

MARGIN_FRAMES = 1
"""Frames kept before and after a sign."""
MOVES = (2, 7)
"""Fewest and most frames between two signs, the most exclusive."""
MAX_SIGNS = 12
_EDGE = ""


class Restitcher:
    """Builds sentences of signs.

    Args:
        examples: Training clips; those without spans are left out.
        own_words: Share of sentences that keep the glosses of a recorded one.
    """

    def __init__(self, examples: Sequence[Example], *, own_words: float = 0.5) -> None:
        self._examples = [one for one in examples if len(one.spans) == len(one.tokens) > 0]
        self._own_words = own_words
        self._takes: dict[str, list[tuple[Example, Span]]] = defaultdict(list)
        self._followers: dict[str, list[str]] = defaultdict(list)
        for one in self._examples:
            for token, span in zip(one.tokens, one.spans, strict=True):
                start = max(0, span.start - MARGIN_FRAMES)
                end = min(one.num_frames, span.end + MARGIN_FRAMES)
                if end > start:
                    self._takes[token].append((one, Span(start, end)))
            for before, after in pairwise((_EDGE, *one.tokens, _EDGE)):
                self._followers[before].append(after)

    def __bool__(self) -> bool:
        """Whether there is anything to build of."""
        return bool(self._examples)

    def build(self, rng: np.random.Generator) -> Example:
        """Build a sentence."""
        tokens = self._sentence(rng)
        pieces: list[NDArray[np.float32]] = []
        confidence: list[NDArray[np.float32]] = []
        spans: list[Span] = []
        length = 0
        for token in tokens:
            takes = self._takes[token]
            source, span = takes[int(rng.integers(len(takes)))]
            sign = source.frames[span.start : span.end]
            sure = source.certainty[span.start : span.end]
            if pieces:
                count = int(rng.integers(*MOVES))
                pieces.append(between(pieces[-1][-1], sign[0], count))
                confidence.append(np.repeat(sure[:1], count, axis=0))
                length += count
            pieces.append(sign)
            confidence.append(sure)
            spans.append(Span(length, length + len(sign)))
            length += len(sign)
        text = " ".join(tokens)
        return Example(
            f"restitched {text}",
            text,
            tuple(tokens),
            np.concatenate(pieces).astype(np.float32),
            tuple(spans),
            fps=self._examples[0].fps,
            glosses=tuple(tokens),
            confidence=np.concatenate(confidence).astype(np.float32),
        )

    def _sentence(self, rng: np.random.Generator) -> list[str]:
        if rng.random() < self._own_words:
            chosen = self._examples[int(rng.integers(len(self._examples)))]
            return [token for token in chosen.tokens if self._takes[token]]
        tokens: list[str] = []
        last = _EDGE
        while len(tokens) < MAX_SIGNS:
            followers = self._followers[last]
            last = followers[int(rng.integers(len(followers)))]
            if last == _EDGE:
                break
            tokens.append(last)
        return tokens
