"""The decoding loop of the schedule `injected`: each layer runs once a group of its own level.

Layer `l` adds to what the layer below gives the frames so far, shifted by its own level. So it can
run whenever the frames before its group are there, and with levels (8, 4, 2, 1) only the top layer
runs once a frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np

from signloom.search.levels import Schedule
from signloom.search.slots import Floats, Ids, slot_frames

State = TypeVar("State")


@runtime_checkable
class LayerStepper(Protocol[State]):
    """One layer of an injected decoder at a time.

    Attributes:
        schedule: The levels.
        velocity_span: Frames before its first slot that a layer wants to see.
        num_features: Numbers of one frame.
        counter: Whether the last of them counts progress, up to 1 at the last frame.
    """

    schedule: Schedule
    velocity_span: int
    num_features: int
    counter: bool

    def begin(self, tokens: Ids, lengths: Ids) -> State:
        """Read the source [batch, tokens], padded with 0, to be decoded to `lengths` frames."""
        ...

    def run_layer(
        self, index: int, window: Floats, below: Floats | None, state: State
    ) -> tuple[Floats, State]:
        """Run the next slots of a layer.

        Args:
            index: Which layer, bottom first.
            window: Frames fed to the slots, [batch, velocity_span + slots, features].
            below: What the layer below gave for the slots [batch, slots, dim]; None at the bottom.
            state: What the calls before left.

        Returns:
            The layer's states [batch, slots, dim], or the frames [batch, slots, features] from the
            top layer; and the state.
        """
        ...


def decode_layers(stepper: LayerStepper[State], tokens: Ids, lengths: Ids) -> Iterator[Floats]:
    """Decode a group of the top layer at a time, giving its frames."""
    total, levels = int(lengths.max()), stepper.schedule.levels
    decoded = np.zeros((len(lengths), total, stepper.num_features), dtype=np.float32)
    state = stepper.begin(tokens, lengths)
    given: list[Floats | None] = [None] * len(levels)
    for position in range(0, total, levels[-1]):
        for index, level in enumerate(levels):
            if position % level:
                continue
            slots = min(level, total - position)
            fed = slot_frames(position, slots, shift=level, velocity_span=stepper.velocity_span)
            below = None
            if index and (group := given[index - 1]) is not None:
                place = position % levels[index - 1]
                below = group[:, place : place + slots]
            given[index], state = stepper.run_layer(index, decoded[:, fed], below, state)
        frames = given[-1]
        if frames is not None:
            decoded[:, position : position + frames.shape[1]] = frames
            yield frames


def force_layers(
    stepper: LayerStepper[State], tokens: Ids, lengths: Ids, *, frames: Floats
) -> Floats:
    """Run each layer once over every slot on given frames [batch, max(lengths), features]."""
    state = stepper.begin(tokens, lengths)
    below: Floats | None = None
    total = frames.shape[1]
    for index, level in enumerate(stepper.schedule.levels):
        fed = slot_frames(0, total, shift=level, velocity_span=stepper.velocity_span)
        below, state = stepper.run_layer(index, frames[:, fed], below, state)
    return frames if below is None else below
