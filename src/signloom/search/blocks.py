"""The decoding loop of every block decoder: one pass completes one block of frames.

Slot `i` is fed frame `i - shift` of what has been decoded. The loop knows only numbers; what runs
a pass (ONNX Runtime, or PyTorch through `decoders.adapter`) is a stepper.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]
State = TypeVar("State")


@runtime_checkable
class BlockStepper(Protocol[State]):
    """One pass of a block decoder.

    Attributes:
        shift: Frames between a slot and the frame it is fed.
        block: Frames that one pass completes.
        velocity_span: Frames before its first slot that a pass wants to see.
        num_features: Coordinates of one frame.
    """

    shift: int
    block: int
    velocity_span: int
    num_features: int

    def begin(self, tokens: Ids, lengths: Ids) -> State:
        """Read the source [batch, tokens], padded with 0, to be decoded to `lengths` frames."""
        ...

    def step(self, window: Floats, state: State) -> tuple[Floats, State]:
        """Decode the next slots of a window [batch, velocity_span + slots, features]."""
        ...


def slot_frames(position: int, slots: int, *, shift: int, velocity_span: int) -> Ids:
    """List the frames that a pass is fed: for slot `i` frame `i - shift`, after the span before.

    Indices before the sequence are clipped to its first frame, so that the first velocity is zero.
    Training and decoding both use this function.

    Example:
        >>> slot_frames(8, 3, shift=8, velocity_span=2).tolist()
        [0, 0, 0, 1, 2]
        >>> slot_frames(5, 1, shift=1, velocity_span=3).tolist()
        [1, 2, 3, 4]
    """
    first = position - shift - velocity_span
    return np.maximum(np.arange(first, position - shift + slots), 0)


def decode_blocks(stepper: BlockStepper[State], tokens: Ids, lengths: Ids) -> Iterator[Floats]:
    """Decode block by block, giving each [batch, slots, features] as soon as it is there.

    Frames beyond a row's own length carry no meaning. The last block is cut to the longest row:
    slots beyond a row's length are never attended to, in training as here.

    Args:
        stepper: Runs one pass.
        tokens: Source ids [batch, tokens], padded with 0.
        lengths: Frames wanted for each row, at least 1.
    """
    total = int(lengths.max())
    decoded = np.zeros((len(lengths), total, stepper.num_features), dtype=np.float32)
    state = stepper.begin(tokens, lengths)
    for position in range(0, total, stepper.block):
        slots = min(stepper.block, total - position)
        fed = slot_frames(position, slots, shift=stepper.shift, velocity_span=stepper.velocity_span)
        frames, state = stepper.step(decoded[:, fed], state)
        decoded[:, position : position + slots] = frames
        yield frames


def decode(stepper: BlockStepper[State], tokens: Ids, lengths: Ids) -> Floats:
    """Decode whole sequences [batch, max(lengths), features]; see `decode_blocks`."""
    return np.concatenate(list(decode_blocks(stepper, tokens, lengths)), axis=1)


def forced_pass(
    stepper: BlockStepper[State], tokens: Ids, lengths: Ids, *, frames: Floats
) -> Floats:
    """Run every slot in one pass on given frames [batch, max(lengths), features].

    On what `decode` gave, this gives the same numbers: the decoder sees only what it may.
    """
    fed = slot_frames(0, frames.shape[1], shift=stepper.shift, velocity_span=stepper.velocity_span)
    forced, _ = stepper.step(frames[:, fed], stepper.begin(tokens, lengths))
    return forced
