"""What a pyramid of group sizes may decode in one pass, computed instead of assumed.

`levels` lists the group size of each decoder layer, bottom layer first. Composing the layers'
relaxed masks by boolean matrix products tells which input slots an output depends on: its reach.
Slot `j` is fed frame `j - shift`, so an output is free of its own and later frames iff
`reach - shift < output`: that gives the least shift, and from it what one pass completes.

(8, 4, 2, 1) needs shift 8 and completes 8 frames a pass, all in one pass of every layer. A tuple
whose coarsest level is no multiple of the others, such as (8, 6, 4, 2), reaches over the border of
a block: its passes have unequal lengths and its layers would have to run over different slots.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int

from signloom.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How a pyramid is fed and decoded.

    Attributes:
        levels: Group size of each layer, bottom first.
        shift: Frames between a slot and the frame it is fed.
        block: Frames that one pass completes.
    """

    levels: tuple[int, ...]
    shift: int
    block: int

    def passes(self, length: int) -> int:
        """Count the passes that `length` frames take: ⌈length / block⌉."""
        return -(-length // self.block)


def reach(levels: tuple[int, ...], *, slots: int) -> Int[np.ndarray, "slots"]:
    """Find the last input slot that each output depends on, through all layers.

    Example:
        >>> reach((8, 4, 2, 1), slots=9).tolist()
        [7, 7, 7, 7, 7, 7, 7, 7, 15]
    """
    total = slots + sum(levels)
    composed = np.eye(total, dtype=bool)
    for level in reversed(levels):
        composed = composed @ _relaxed(total, level)
    last = total - 1 - np.argmax(composed[:, ::-1], axis=1)
    return last[:slots]


def _relaxed(slots: int, level: int) -> Bool[np.ndarray, "slots slots"]:
    index = np.arange(slots)
    return index[None, :] < ((index // level + 1) * level)[:, None]


def least_shift(levels: tuple[int, ...]) -> int:
    """Find the smallest shift at which no output depends on itself or a later frame.

    Example:
        >>> least_shift((8, 4, 2, 1)), least_shift((8, 6, 4, 2)), least_shift((1, 1, 1))
        (8, 12, 1)
    """
    period = int(np.lcm.reduce(levels))
    return int(np.max(reach(levels, slots=period) - np.arange(period))) + 1


def step_pattern(levels: tuple[int, ...], *, frames: int) -> tuple[int, ...]:
    """List how many frames each pass completes until `frames` are there.

    Example:
        >>> step_pattern((8, 4, 2), frames=20)
        (8, 8, 4)
    """
    shift = least_shift(levels)
    needed = reach(levels, slots=frames) - shift
    steps: list[int] = []
    known = 0
    while known < frames:
        ready = int(np.searchsorted(needed, known, side="left"))
        steps.append(min(ready, frames) - known)
        known = min(ready, frames)
    return tuple(steps)


def schedule(levels: tuple[int, ...]) -> Schedule:
    """Plan the block decoding of a pyramid, or refuse one that it cannot decode exactly.

    Raises:
        ConfigError: A level is below 1, or does not divide the largest.

    Example:
        >>> schedule((8, 4, 2))
        Schedule(levels=(8, 4, 2), shift=8, block=8)
    """
    if not levels or min(levels) < 1:
        raise ConfigError(f"`levels` must be group sizes of at least 1, but are {levels}.")
    block = max(levels)
    odd = [level for level in levels if block % level]
    if odd:
        raise ConfigError(
            f"Each of `levels` must divide the largest, {block}, but {odd[0]} does not: its groups "
            "cross the border of a block, so that no block is exact in one pass. "
            f"Use divisors of {block}."
        )
    return Schedule(levels=levels, shift=block, block=block)
