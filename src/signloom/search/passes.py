"""The decoding loop of the schedule `block`: all layers in each pass, a pass a block of frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np

from signloom.search.levels import Schedule
from signloom.search.slots import Floats, Ids, slot_frames

State = TypeVar("State")


@runtime_checkable
class BlockStepper(Protocol[State]):
    """One pass of a block decoder.

    Attributes:
        schedule: Shift and passes.
        velocity_span: Frames before its first slot that a pass wants to see.
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

    def step(self, window: Floats, state: State, *, keep: int) -> tuple[Floats, State]:
        """Run the next slots of a window [batch, velocity_span + slots, features].

        The first `keep` of them are complete; the state goes on behind these, and their frames
        [batch, keep, features] are given.
        """
        ...


def decode_passes(stepper: BlockStepper[State], tokens: Ids, lengths: Ids) -> Iterator[Floats]:
    """Decode pass by pass, giving the frames that each completes.

    The last pass is cut to the longest row: slots beyond a row's length are never attended to, in
    training as here.
    """
    total = int(lengths.max())
    decoded = np.zeros((len(lengths), total, stepper.num_features), dtype=np.float32)
    state = stepper.begin(tokens, lengths)
    for first, slots, keep in stepper.schedule.plan(total):
        fed = _fed(stepper, first, slots)
        frames, state = stepper.step(decoded[:, fed], state, keep=keep)
        decoded[:, first : first + keep] = frames
        yield frames


def force_pass(
    stepper: BlockStepper[State], tokens: Ids, lengths: Ids, *, frames: Floats
) -> Floats:
    """Run every slot in one pass on given frames [batch, max(lengths), features]."""
    total = frames.shape[1]
    state = stepper.begin(tokens, lengths)
    forced, _ = stepper.step(frames[:, _fed(stepper, 0, total)], state, keep=total)
    return forced


def _fed(stepper: BlockStepper[State], first: int, slots: int) -> Ids:
    return slot_frames(
        first, slots, shift=stepper.schedule.shift, velocity_span=stepper.velocity_span
    )
