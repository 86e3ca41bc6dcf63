"""Decode passages in groups, and give the frames of each in order, as soon as they are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from signloom.poses.normalize import NUM_FEATURES
from signloom.runtime.injected_session import InjectedSession
from signloom.runtime.sessions import ProduceSession
from signloom.search.blocks import decode_blocks
from signloom.search.slots import Floats, Ids

Session = ProduceSession | InjectedSession

GROUP = 8


class Block(NamedTuple):
    """Some frames of a passage.

    Attributes:
        passage: Which passage.
        features: Standardised features [frames, features].
        is_last: Whether the passage is complete with it.
        num_passes: Decoder passes that these frames took.
    """

    passage: int
    features: Floats
    is_last: bool
    num_passes: int


def decode_passages(
    session: Session, passages: Sequence[Ids], *, first_group: int = 1
) -> Iterator[Block]:
    """Decode passages to their predicted lengths.

    Args:
        session: The model.
        passages: Token ids [tokens] of each passage, none empty.
        first_group: Size of the first group. 1 gives the first frames soonest; all further
            groups are of 8.
    """
    start = 0
    while start < len(passages):
        group = passages[start : start + (GROUP if start else first_group)]
        yield from _decode_group(session, group, first=start)
        start += len(group)


def _decode_group(session: Session, group: Sequence[Ids], *, first: int) -> Iterator[Block]:
    encoded = session.encode(_pad(group))
    wanted = session.predict_lengths(encoded)
    waiting: list[list[Floats]] = [[] for _ in group]
    position = 0
    for block, lengths in decode_blocks(session, encoded.tokens, wanted):
        frames = block[..., :NUM_FEATURES]
        own = np.clip(lengths - position, 0, frames.shape[1])
        position += frames.shape[1]
        if own[0]:
            yield Block(first, frames[0, : own[0]], bool(position >= lengths[0]), 1)
        for row in range(1, len(group)):
            if own[row]:
                waiting[row].append(frames[row, : own[row]])
    for row in range(1, len(group)):
        blocks = waiting[row]
        yield Block(first + row, np.concatenate(blocks), True, len(blocks))


def _pad(group: Sequence[Ids]) -> Ids:
    tokens = np.zeros((len(group), max(len(ids) for ids in group)), dtype=np.int64)
    for row, ids in enumerate(group):
        tokens[row, : len(ids)] = ids
    return tokens
