"""Sound cut at its pauses into passages that can be transcribed, in bounded memory.

A pause is where nothing is louder than what lies under it (`features/loudness.py`). Silence and
steady noise give no passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import starmap

import numpy as np

from signloom.errors import ConfigError
from signloom.features.loudness import FRAME_S, Loudness, LoudnessMeter
from signloom.features.resampling import Samples

PAUSE_S = 0.3
LEAD_S = 0.2
"""What comes before the first loud frame belongs to it: speech often begins softly."""
LEAST_SPEECH_S = 0.04
"""Anything shorter is a click."""
_LEAD, _LEAST_SPEECH = round(LEAD_S / FRAME_S), round(LEAST_SPEECH_S / FRAME_S)
_SMOOTH = np.ones(5) / 5


@dataclass(frozen=True, eq=False)
class Passage:
    """A piece of sound that holds speech.

    Attributes:
        start_s: Where it begins, in seconds.
        samples: Its sound [samples].
    """

    start_s: float
    samples: Samples


def cut_passages(
    blocks: Iterable[Samples], *, rate: int, most_s: float, pause_s: float = PAUSE_S
) -> Iterator[Passage]:
    """Cut sound at its pauses; where it has none for long, at its quietest.

    Args:
        blocks: Sound from -1 to 1, blocks [samples] of any length.
        rate: Samples a second.
        most_s: Longest passage, in seconds, 1 or more. Where speech runs on beyond it, it is cut
            where it is quietest in the last third.
        pause_s: Shortest pause to be cut at, in seconds; the passage before keeps that much of it.

    Yields:
        Passages in their order that do not overlap, each when it is complete.

    Raises:
        ConfigError: `most_s` is below 1 or `pause_s` not above 0.
    """
    if not (most_s >= 1 and pause_s > 0):
        raise ConfigError(
            f"`most_s` must be at least 1 and `pause_s` above 0, but they are {most_s:g} and "
            f"{pause_s:g}."
        )
    return _cut(blocks, rate, most=int(most_s / FRAME_S), pause=max(1, round(pause_s / FRAME_S)))


def _cut(blocks: Iterable[Samples], rate: int, *, most: int, pause: int) -> Iterator[Passage]:
    meter = LoudnessMeter(rate)
    cutter = _Cutter(most, pause)
    shelf = _Shelf(rate, meter.frame)
    for block in blocks:
        shelf.put(block)
        for loudness in meter.push(block):
            yield from starmap(shelf.take, cutter.push(loudness))
            shelf.forget(cutter.first)
    for loudness in meter.finish():
        yield from starmap(shelf.take, cutter.push(loudness))
    yield from starmap(shelf.take, cutter.finish())


class _Shelf:
    """The latest samples, by the number of their frame."""

    def __init__(self, rate: int, frame: int) -> None:
        self._rate, self._frame = rate, frame
        self._samples = np.zeros(0, dtype=np.float32)
        self._origin = 0

    def put(self, block: Samples) -> None:
        self._samples = np.concatenate([self._samples, block])

    def take(self, first: int, end: int) -> Passage:
        start, stop = (frame * self._frame - self._origin for frame in (first, end))
        return Passage(first * self._frame / self._rate, self._samples[start:stop].copy())

    def forget(self, frame: int) -> None:
        """Let go of what comes before a frame."""
        start = frame * self._frame - self._origin
        self._samples = self._samples[start:]
        self._origin += start


@dataclass
class _Cutter:
    """Finds passages in frames that are speech or not; all numbers are frames.

    Attributes:
        most: Longest passage.
        pause: Shortest pause.
        first: The first frame that is still undecided; a passage begins there, or none has begun.
        has_begun: Whether one has.
        levels_db: Level of each undecided frame.
        is_speech: Whether each is speech.
    """

    most: int
    pause: int
    first: int = 0
    has_begun: bool = False
    levels_db: list[float] = field(default_factory=list)
    is_speech: list[bool] = field(default_factory=list)

    def push(self, loudness: Loudness) -> Iterator[tuple[int, int]]:
        """Take frames and give the first frame and the end of each passage they complete."""
        for level_db, is_speech in zip(*map(np.ndarray.tolist, loudness), strict=True):
            self.levels_db.append(level_db)
            self.is_speech.append(is_speech)
            if is_speech and not self.has_begun:
                self._drop(len(self.levels_db) - 1 - _LEAD)
                self.has_begun = True
            if not self.has_begun:
                continue
            if not any(self.is_speech[-self.pause :]):
                yield from self._end(len(self.levels_db))
            elif len(self.levels_db) == self.most:
                yield from self._end(self._quietest())
        if not self.has_begun:
            self._drop(len(self.levels_db) - _LEAD)

    def finish(self) -> Iterator[tuple[int, int]]:
        """Give the passage that has begun, if one has."""
        if self.has_begun:
            yield from self._end(len(self.levels_db))

    def _end(self, count: int) -> Iterator[tuple[int, int]]:
        if sum(self.is_speech[:count]) >= _LEAST_SPEECH:
            yield self.first, self.first + count
        self._drop(count)
        self.has_begun = any(self.is_speech)

    def _drop(self, count: int) -> None:
        """Let go of the first frames."""
        if count > 0:
            del self.levels_db[:count], self.is_speech[:count]
            self.first += count

    def _quietest(self) -> int:
        """Give how many frames come before the quietest of the last third, at least one."""
        start = 2 * self.most // 3
        smooth = np.convolve(self.levels_db[start:], _SMOOTH, mode="valid")
        return start + int(smooth.argmin()) + len(_SMOOTH) // 2
