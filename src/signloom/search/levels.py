"""What a pyramid of group sizes may decode in one pass, computed instead of assumed.

`levels` lists the group size of each decoder layer, bottom layer first. Composing the layers'
relaxed masks tells which input slots an output depends on: its reach. Under the schedule `block`
slot `j` is fed frame `j - shift`, so an output is free of its own and later frames iff
`reach - shift < output`: that gives the least shift, and from it what each pass completes.

(8, 4, 2, 1) needs shift 8 and completes 8 frames a pass, all in one pass of every layer. A tuple
whose coarsest level is no multiple of the others, such as (8, 6, 4, 2), reaches over the border of
a block: it needs shift 12, and its passes complete 4, 8 and 12 frames in turn. Each of them runs
the slots that its bottom layer can be exact for and keeps those that all layers are exact for.

Under the schedule `injected` each layer is fed by its own shift, its level, and runs once a group.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from signloom.errors import ConfigError
from signloom.search.slots import Ids

Kind = Literal["block", "injected"]
KINDS: tuple[Kind, ...] = ("block", "injected")
MAX_PERIOD = 100_000
"""Most frames after which the groups of all levels may begin together again."""


class Pass(NamedTuple):
    """What one pass does.

    Attributes:
        first: Its first slot: the frames known before it.
        slots: Slots that run.
        keep: How many of them are complete; the next pass begins behind them.
    """

    first: int
    slots: int
    keep: int


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How a pyramid is fed and decoded; `schedule` makes one.

    Attributes:
        levels: Group size of each layer, bottom first.
        kind: `block` runs all layers in each pass, `injected` each once a group of its own.
        shift: Frames between a slot and the frame it is fed; under `injected` the largest of them.
        block: Most frames that one pass completes.
    """

    levels: tuple[int, ...]
    kind: Kind = "block"
    shift: int
    block: int

    def plan(self, length: int) -> Iterator[Pass]:
        """List the passes that `length` frames take; only the last may be cut short.

        Example:
            >>> [step.keep for step in schedule((8, 6, 4, 2)).plan(30)]
            [4, 8, 12, 6]
        """
        first = 0
        while first < length:
            run, ready = self._ready(first)
            if self.kind == "block" and first + self.shift >= length:
                run = ready = length
            yield Pass(first, min(run, length) - first, min(ready, length) - first)
            first = ready

    def borders(self, length: int) -> list[int]:
        """List where frames of two passes meet: the first frame of each but the first.

        Example:
            >>> schedule((8, 6, 4, 2)).borders(30)
            [4, 12, 24, 28]
        """
        # Planned for more than there is: the last pass of a sequence may be longer than its turn.
        firsts = (step.first for step in self.plan(length + self.shift))
        return [first for first in firsts if 0 < first < length]

    def passes(self, length: int) -> int:
        """Count the passes that `length` frames take; under `injected` those of the top layer.

        Example:
            >>> schedule((8, 4, 2)).passes(113), schedule((8, 6, 4, 2)).passes(24)
            (15, 3)
        """
        return sum(1 for _ in self.plan(length))

    def layer_calls(self, length: int) -> int:
        """Count how often a layer runs.

        Example:
            >>> schedule((8, 4, 2, 1)).layer_calls(8), schedule((1, 1, 1, 1)).layer_calls(8)
            (4, 32)
            >>> schedule((8, 4, 2, 1), kind="injected").layer_calls(8)
            15
        """
        if self.kind == "injected":
            return sum(-(-length // level) for level in self.levels)
        return self.passes(length) * len(self.levels)

    def _ready(self, known: int) -> tuple[int, int]:
        """Count the slots that the bottom and the top layer are exact for after `known` frames."""
        if self.kind == "injected":
            return known + self.block, known + self.block
        ready = known + self.shift
        run = ready // self.levels[0] * self.levels[0]
        for level in self.levels:
            ready = ready // level * level
        return run, ready


def paper_passes(levels: tuple[int, ...], length: int) -> float:
    """Count passes as the paper does, `L * N / sum(d)`; no exact schedule takes so many.

    Args:
        levels: Group size of each layer, bottom first.
        length: Frames, the paper's L.

    Example:
        >>> paper_passes((8, 4, 2, 1), 120), paper_passes((8, 6, 4, 2), 120)
        (32.0, 24.0)
    """
    return length * len(levels) / sum(levels)


def reach(levels: tuple[int, ...], *, slots: int) -> Ids:
    """Find the last input slot that each output depends on, through all layers.

    Every mask lets a slot see a beginning of the sequence, so composing them is composing where
    these end.

    Example:
        >>> reach((8, 4, 2, 1), slots=9).tolist()
        [7, 7, 7, 7, 7, 7, 7, 7, 15]
    """
    last = np.arange(slots)
    for level in reversed(levels):
        last = (last // level + 1) * level - 1
    return last


def least_shift(levels: tuple[int, ...]) -> int:
    """Find the smallest shift at which no output depends on itself or a later frame.

    Example:
        >>> least_shift((8, 4, 2, 1)), least_shift((8, 6, 4, 2)), least_shift((1, 1, 1))
        (8, 12, 1)
    """
    period = math.lcm(*levels)
    return int(np.max(reach(levels, slots=period) - np.arange(period))) + 1


def schedule(
    levels: tuple[int, ...], *, kind: Kind = "block", max_frames: int | None = None
) -> Schedule:
    """Plan the decoding of a pyramid, or refuse one that it cannot decode exactly.

    Args:
        levels: Group size of each layer, bottom first.
        kind: How it is fed.
        max_frames: Longest sequence; None for any.

    Raises:
        ConfigError: A level is below 1, the groups hardly ever begin together, the shift is longer
            than the longest sequence, or a level of `injected` does not divide the one before.

    Example:
        >>> schedule((8, 4, 2))
        Schedule(levels=(8, 4, 2), kind='block', shift=8, block=8)
        >>> schedule((8, 6, 4, 2))
        Schedule(levels=(8, 6, 4, 2), kind='block', shift=12, block=12)
    """
    if not levels or min(levels) < 1:
        raise ConfigError(f"`levels` must be group sizes of at least 1, but are {list(levels)}.")
    if kind == "injected":
        return _injected(levels)
    period = math.lcm(*levels)
    if period > MAX_PERIOD:
        raise ConfigError(
            f"The groups of `levels` must begin together at least every {MAX_PERIOD} frames, but "
            f"those of {list(levels)} do every {period}. Choose levels with common factors."
        )
    shift = least_shift(levels)
    if max_frames is not None and shift > max_frames:
        raise ConfigError(
            f"`levels` must be exact with a shift of at most `max_frames`, {max_frames}, but "
            f"{list(levels)} need {shift}. Choose smaller levels, or some that divide each other."
        )
    return Schedule(levels=levels, shift=shift, block=shift)


def _injected(levels: tuple[int, ...]) -> Schedule:
    for below, level in pairwise(levels):
        if below % level:
            raise ConfigError(
                f"Each of `levels` must divide the one before it under the schedule `injected`, "
                f"but {level} does not divide {below}: a layer would need states that the layer "
                "below cannot have yet. Order divisors from coarse to fine, or use `block`."
            )
    return Schedule(levels=levels, kind="injected", shift=levels[0], block=levels[-1])
