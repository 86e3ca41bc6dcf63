"""Frames that come when they like, at a constant rate: each is shown until the next one comes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Shown(NamedTuple):
    """When a frame is shown, in seconds.

    Attributes:
        start: From when.
        end: Until when, if no other frame follows.
    """

    start: float
    end: float


def at_constant_rate(timed: Iterable[tuple[Shown, T]], fps: float) -> Iterator[T]:
    """Give a frame every `1 / fps` seconds: the last one that began within half of that.

    The first frame's time counts as zero. What is shown longer is given again, what is shown too
    shortly is left out, and a time that runs backwards is taken for the time before it.

    Example:
        >>> times = (Shown(0.0, 0.1), "a"), (Shown(0.1, 0.2), "b"), (Shown(0.4, 0.5), "c")
        >>> "".join(at_constant_rate(times, 10.0)), "".join(at_constant_rate(times, 5.0))
        ('abbbc', 'abc')
    """
    origin: float | None = None
    given = 0
    held: tuple[Shown, T] | None = None
    for shown, frame in timed:
        origin = shown.start if origin is None else origin
        if held is not None:
            place = _place(shown.start - origin, fps)
            for _ in range(given, place):
                yield held[1]
            given = max(given, place)
        held = (shown, frame)
    if held is None or origin is None:
        return
    for _ in range(given, max(_place(held[0].end - origin, fps), 1)):
        yield held[1]


def _place(time_s: float, fps: float) -> int:
    return math.floor(time_s * fps + 0.5)
