"""Lets the numpy search drive a PyTorch decoder: no gradients, arrays shared without a copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor

from signloom.core.cache import Cache, Memory
from signloom.decoders.pyramid import PyramidDecoder
from signloom.search.blocks import Floats, Ids


@runtime_checkable
class BlockModel(Protocol):
    """A model whose decoder is a pyramid."""

    decoder: PyramidDecoder

    def encode(self, tokens: Tensor) -> tuple[Memory, Tensor]:
        """Give the decoder's memory and the length logits of padded ids [batch, tokens]."""
        ...


@dataclass
class TorchState:
    """What a pass needs of the passes before it."""

    memory: Memory
    present: Tensor
    lengths: Tensor
    cache: Cache
    position: int


class TorchStepper:
    """A `BlockStepper` on a PyTorch model, with a preallocated cache."""

    def __init__(self, model: BlockModel) -> None:
        self.model = model
        self.shift = model.decoder.schedule.shift
        self.block = model.decoder.schedule.block
        self.velocity_span = model.decoder.embedding.velocity_span
        self.num_features = model.decoder.output.out_features

    @torch.no_grad()
    def begin(self, tokens: Ids, lengths: Ids) -> TorchState:
        """Encode the source and allocate the cache."""
        ids = torch.from_numpy(tokens)
        memory, _ = self.model.encode(ids)
        cache = torch.empty(int(lengths.max()), len(ids), *memory.shape[2:])
        return TorchState(memory, ids != 0, torch.from_numpy(lengths), cache, 0)

    @torch.no_grad()
    def step(self, window: Floats, state: TorchState) -> tuple[Floats, TorchState]:
        """Run one pass and append its keys and values to the cache."""
        frames, new = self.model.decoder(
            torch.from_numpy(window),
            state.cache[: state.position],
            state.memory,
            position=torch.tensor(state.position),
            lengths=state.lengths,
            present=state.present,
        )
        end = state.position + len(new)
        state.cache[state.position : end] = new
        state.position = end
        return np.asarray(frames), state
