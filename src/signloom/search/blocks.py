"""Decoding block by block, whatever the schedule: the one door to the loops of this package.

The loops know only numbers; what runs a pass or a layer (ONNX Runtime, or PyTorch through
`decoders.adapter`) is a stepper.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from signloom.search.injected import LayerStepper, decode_layers, force_layers
from signloom.search.passes import BlockStepper, decode_passes, force_pass
from signloom.search.slots import Floats, Ids

Stepper = BlockStepper[Any] | LayerStepper[Any]
"""What runs a decoder, a pass or a layer at a time."""


class Piece(NamedTuple):
    """Frames of a batch that came at once.

    Attributes:
        frames: The next frames [batch, slots, features]; beyond a row's length without meaning.
        lengths: Frames of each row [batch]: what was asked for, or less where its counter has
            come to its end.
    """

    frames: Floats
    lengths: Ids


def decode_blocks(stepper: Stepper, tokens: Ids, lengths: Ids) -> Iterator[Piece]:
    """Decode, giving frames as soon as they are there, until every row has its length.

    A row of a decoder with a counter also ends with the first frame whose counter is at least 1.

    Args:
        stepper: Runs one pass, or one layer.
        tokens: Source ids [batch, tokens], padded with 0.
        lengths: Frames wanted for each row, at least 1; with a counter the most that are allowed.
    """
    if isinstance(stepper, LayerStepper):
        blocks = decode_layers(stepper, tokens, lengths)
    else:
        blocks = decode_passes(stepper, tokens, lengths)
    position = 0
    for frames in blocks:
        if stepper.counter:
            lengths = _stopped(frames[..., -1], lengths, position=position)
        position += frames.shape[1]
        yield Piece(frames, lengths)
        if position >= lengths.max():
            return


def decode(stepper: Stepper, tokens: Ids, lengths: Ids) -> Floats:
    """Decode whole sequences [batch, longest row, features]; see `decode_blocks`."""
    pieces = decode_blocks(stepper, tokens, lengths)
    return np.concatenate([piece.frames for piece in pieces], axis=1)


def forced_pass(stepper: Stepper, tokens: Ids, lengths: Ids, *, frames: Floats) -> Floats:
    """Run every layer once over all slots, on given frames [batch, frames, features].

    On what `decode` gave, this gives the same numbers: the decoder sees only what it may.
    """
    if isinstance(stepper, LayerStepper):
        return force_layers(stepper, tokens, lengths, frames=frames)
    return force_pass(stepper, tokens, lengths, frames=frames)


def _stopped(counters: Floats, lengths: Ids, *, position: int) -> Ids:
    """Cut each row behind its first frame, from `position` on, whose counter is at least 1."""
    done = counters >= 1
    end = position + np.argmax(done, axis=1) + 1
    return np.where(done.any(axis=1), np.minimum(lengths, end), lengths)
