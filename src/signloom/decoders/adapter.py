"""Lets the numpy search drive a PyTorch decoder: no gradients, arrays shared without a copy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor

from signloom.core.cache import Cache, Memory, layer_of_memory
from signloom.decoders.pyramid import PyramidDecoder
from signloom.search.slots import Floats, Ids


@runtime_checkable
class BlockModel(Protocol):
    """A model whose decoder is a pyramid."""

    decoder: PyramidDecoder

    def encode(self, tokens: Tensor) -> tuple[Memory, Tensor]:
        """Give the decoder's memory and the length logits of padded ids [batch, tokens]."""
        ...


def stepper_of(model: BlockModel) -> TorchStepper | TorchLayerStepper:
    """Make what the search drives a model by, as its schedule asks for."""
    if model.decoder.schedule.kind == "injected":
        return TorchLayerStepper(model)
    return TorchStepper(model)


class ModelStepper:
    """What the search wants to know of any of them."""

    def __init__(self, model: BlockModel) -> None:
        self.model = model
        self.schedule = model.decoder.schedule
        self.velocity_span = model.decoder.embedding.velocity_span
        self.num_features = model.decoder.embedding.num_features
        self.counter = model.decoder.counter


@dataclass
class TorchState:
    """What a pass needs of the passes before it."""

    memory: Memory
    present: Tensor
    lengths: Tensor
    cache: Cache
    position: int = 0


class TorchStepper(ModelStepper):
    """A `BlockStepper` on a PyTorch model, with a preallocated cache."""

    @torch.no_grad()
    def begin(self, tokens: Ids, lengths: Ids) -> TorchState:
        """Encode the source and allocate the cache."""
        ids = torch.from_numpy(tokens)
        memory, _ = self.model.encode(ids)
        cache = torch.empty(int(lengths.max()), len(ids), *memory.shape[2:])
        return TorchState(memory, ids != 0, torch.from_numpy(lengths), cache)

    @torch.no_grad()
    def step(self, window: Floats, state: TorchState, *, keep: int) -> tuple[Floats, TorchState]:
        """Run one pass and append the keys and values of what it completes to the cache."""
        frames, new = self.model.decoder(
            torch.from_numpy(window),
            state.cache[: state.position],
            state.memory,
            position=torch.tensor(state.position),
            lengths=state.lengths,
            present=state.present,
        )
        end = state.position + keep
        state.cache[state.position : end] = new[:keep]
        state.position = end
        return np.asarray(frames[:, :keep]), state


@dataclass
class TorchLayerState:
    """What a layer needs of its calls before; each has a cache and a position of its own."""

    memory: Memory
    present: Tensor
    lengths: Tensor
    caches: list[Tensor]
    positions: list[int] = field(default_factory=list)


class TorchLayerStepper(ModelStepper):
    """A `LayerStepper` on a PyTorch model, with preallocated caches."""

    @torch.no_grad()
    def begin(self, tokens: Ids, lengths: Ids) -> TorchLayerState:
        """Encode the source and allocate the caches."""
        ids = torch.from_numpy(tokens)
        memory, _ = self.model.encode(ids)
        sizes = int(lengths.max()), len(ids), *memory.shape[3:]
        num_layers = memory.shape[2]
        return TorchLayerState(
            memory,
            ids != 0,
            torch.from_numpy(lengths),
            [torch.empty(sizes) for _ in range(num_layers)],
            [0] * num_layers,
        )

    @torch.no_grad()
    def run_layer(
        self, index: int, window: Floats, below: Floats | None, state: TorchLayerState
    ) -> tuple[Floats, TorchLayerState]:
        """Run one layer and append its keys and values to its cache."""
        start, cache = state.positions[index], state.caches[index]
        above, new = self.model.decoder.run_layer(
            index,
            torch.from_numpy(window),
            None if below is None else torch.from_numpy(below),
            cache[:start],
            layer_of_memory(state.memory, index),
            position=torch.tensor(start),
            lengths=state.lengths,
            present=state.present,
        )
        state.positions[index] = start + len(new)
        cache[start : start + len(new)] = new
        return np.asarray(above), state
