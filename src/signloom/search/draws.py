"""A posterior sample's Gumbel noise, dealt to the sentences of a batch, whatever the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from signloom.search.chance import DECODER, ENCODER, Side, sentence_key, winner_noise
from signloom.search.slots import Floats, Ids


class Sources(NamedTuple):
    """A padded batch of what a translator reads.

    Attributes:
        values: Ids [batch, tokens] or features [batch, frames, features], padded with 0.
        lengths: Tokens or frames of each row [batch].
    """

    values: Ids | Floats
    lengths: Ids

    def keys(self) -> tuple[int, ...]:
        """Name each sentence by its own content, so that its noise does not know the batch."""
        rows = zip(self.values, self.lengths, strict=True)
        return tuple(sentence_key(np.ascontiguousarray(row[:end]).tobytes()) for row, end in rows)


@dataclass(frozen=True)
class Draw:
    """One joint sample of weights and winners.

    Attributes:
        seed: Decides all samples of a run.
        sample: Which of them, from 0.
    """

    seed: int
    sample: int

    def for_encoder(self, keys: tuple[int, ...], positions: int, *, units: int) -> Floats:
        """Draw noise for all positions of each sentence [batch, positions, units]."""
        return np.stack([self._noise(key, 0, positions, units=units, side=ENCODER) for key in keys])

    def for_step(self, keys: tuple[int, ...], position: int, *, units: int) -> Floats:
        """Draw noise for a position of each row [rows, 1, units]; a sentence's beams share it."""
        drawn = {key: self._noise(key, position, 1, units=units, side=DECODER) for key in set(keys)}
        return np.stack([drawn[key] for key in keys])

    def _noise(self, key: int, first: int, count: int, *, units: int, side: Side) -> Floats:
        return winner_noise(
            first,
            count,
            units=units,
            side=side,
            sentence=key,
            seed=self.seed,
            sample=self.sample,
        )
