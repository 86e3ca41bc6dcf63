"""Steppers that keep no keys and values: each pass runs over the whole prefix again.

They give the same frames as `decoders.adapter` and are there to say what the cache is worth. The
source is read once, as there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from signloom.core.cache import Memory, layer_of_memory
from signloom.decoders.adapter import BlockModel, ModelStepper
from signloom.search.slots import Floats, Ids


def uncached_stepper_of(model: BlockModel) -> UncachedStepper | UncachedLayerStepper:
    """Make what the search drives a model by, as its schedule asks for."""
    if model.decoder.schedule.kind == "injected":
        return UncachedLayerStepper(model)
    return UncachedStepper(model)


@dataclass
class Prefix:
    """What one pass, or one layer, was fed so far.

    Attributes:
        window: The frames fed [batch, velocity_span + slots, features].
        below: What the layer below gave [batch, slots, dim], if there is one.
        slots: Slots that are complete.
    """

    window: Floats | None = None
    below: Floats | None = None
    slots: int = 0

    def extend(self, window: Floats, below: Floats | None = None) -> tuple[Tensor, Tensor | None]:
        """Put the next slots behind those that are complete, and give them all."""
        if self.window is not None:
            # A window begins with the span before its first slot.
            window = np.concatenate([self.window[:, : self.slots], window], axis=1)
        if self.below is not None and below is not None:
            below = np.concatenate([self.below[:, : self.slots], below], axis=1)
        self.window, self.below = window, below
        return torch.from_numpy(window), None if below is None else torch.from_numpy(below)


@dataclass
class UncachedState:
    """The source, and what was fed."""

    memory: Memory
    present: Tensor
    lengths: Tensor
    prefixes: list[Prefix]


class UncachedStepper(ModelStepper):
    """A `BlockStepper` without a cache."""

    @torch.no_grad()
    def begin(self, tokens: Ids, lengths: Ids) -> UncachedState:
        """Encode the source."""
        return _begin(self.model, tokens, lengths, prefixes=1)

    @torch.no_grad()
    def step(
        self, window: Floats, state: UncachedState, *, keep: int
    ) -> tuple[Floats, UncachedState]:
        """Run all layers over every slot so far."""
        [prefix] = state.prefixes
        whole, _ = prefix.extend(window)
        frames, _ = self.model.decoder(
            whole,
            state.memory.new_zeros(0, len(window), *state.memory.shape[2:]),
            state.memory,
            position=torch.tensor(0),
            lengths=state.lengths,
            present=state.present,
        )
        first = prefix.slots
        prefix.slots += keep
        return np.asarray(frames[:, first : prefix.slots]), state


class UncachedLayerStepper(ModelStepper):
    """A `LayerStepper` without caches: a layer that runs, runs over all its slots so far."""

    @torch.no_grad()
    def begin(self, tokens: Ids, lengths: Ids) -> UncachedState:
        """Encode the source."""
        return _begin(self.model, tokens, lengths, prefixes=len(self.schedule.levels))

    @torch.no_grad()
    def run_layer(
        self, index: int, window: Floats, below: Floats | None, state: UncachedState
    ) -> tuple[Floats, UncachedState]:
        """Run one layer over every slot so far."""
        prefix = state.prefixes[index]
        above, _ = self.model.decoder.run_layer(
            index,
            *prefix.extend(window, below),
            state.memory.new_zeros(0, len(window), *state.memory.shape[3:]),
            layer_of_memory(state.memory, index),
            position=torch.tensor(0),
            lengths=state.lengths,
            present=state.present,
        )
        first = prefix.slots
        prefix.slots = above.shape[1]
        return np.asarray(above[:, first:]), state


def _begin(model: BlockModel, tokens: Ids, lengths: Ids, *, prefixes: int) -> UncachedState:
    ids = torch.from_numpy(tokens)
    memory, _ = model.encode(ids)
    states = [Prefix() for _ in range(prefixes)]
    return UncachedState(memory, ids != 0, torch.from_numpy(lengths), states)
