"""Lets the numpy loop of refinement drive a PyTorch decoder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from signloom.core.cache import Memory
from signloom.decoders.refinement import SideBySide
from signloom.search.slots import Floats, Ids


@dataclass(frozen=True)
class Heard:
    """What a decoder remembers of speech; one row an utterance."""

    memory: Memory
    present: Tensor


class TorchRefiner:
    """A `Refiner` on a PyTorch decoder.

    Args:
        decoder: In evaluation mode.
    """

    def __init__(self, decoder: SideBySide) -> None:
        self._decoder = decoder

    @property
    def num_tokens(self) -> int:
        """Size of the vocabulary."""
        return self._decoder.decoders[0].output.out_features

    @torch.no_grad()
    def predict(self, tokens: Ids, lengths: Ids, state: Heard) -> Floats:
        """Run the decoder once."""
        device = state.memory.device
        logits = self._decoder(
            torch.from_numpy(tokens).to(device),
            torch.from_numpy(lengths).to(device),
            state.memory,
            present=state.present,
        )
        scores: Floats = logits.cpu().numpy()
        return scores

    @torch.no_grad()
    def take(self, state: Heard, rows: Ids) -> Heard:
        """Keep some rows."""
        index = torch.from_numpy(np.asarray(rows, dtype=np.int64)).to(state.memory.device)
        return Heard(state.memory[index], state.present[index])
