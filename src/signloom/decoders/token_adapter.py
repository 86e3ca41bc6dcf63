"""Lets the numpy search drive a PyTorch decoder of tokens: by its mean, or by posterior samples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor, nn

from signloom.core.bayesian import sample_weights
from signloom.core.cache import Cache, Memory
from signloom.decoders.autoregressive import AutoregressiveDecoder
from signloom.search.draws import Draw, Sources
from signloom.search.members import Members
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import FIRST_POSITIONS, Scores


@runtime_checkable
class TokenModel(Protocol):
    """A model whose decoder gives tokens, one after the other or in groups."""

    decoder: AutoregressiveDecoder
    noisy_units: int

    def remember(
        self, source: Tensor, lengths: Tensor, noise: Tensor | None = None
    ) -> tuple[Memory, Tensor]:
        """Give the decoder's memory of a source, and where it is real."""
        ...

    def positions(self, length: int) -> int:
        """Count the encoder's positions of a source."""
        ...


@dataclass
class TokenState:
    """What a step needs of the steps before it; one row a hypothesis.

    Attributes:
        memory: Keys and values of the source; never changed in place, for states share it.
        present: Where it is real.
        sources: Number of the source that each row reads.
        keys: What each row's source is called where a sample is drawn for it; empty where none is.
        cache: Keys and values of the tokens so far, and room for more.
        position: Tokens so far.
    """

    memory: Memory
    present: Tensor
    sources: Ids
    keys: tuple[int, ...]
    cache: Cache
    position: int = 0


class TorchGroupStepper:
    """A `GroupStepper` on a PyTorch model, with a cache.

    Args:
        model: In evaluation mode.
        draw: The sample whose winners are drawn; by default the likeliest units win.
    """

    def __init__(self, model: TokenModel, draw: Draw | None = None) -> None:
        self._model, self._draw = model, draw

    @property
    def num_tokens(self) -> int:
        """Size of the target vocabulary."""
        return self._model.decoder.num_tokens

    @property
    def group(self) -> int:
        """Tokens that come at once."""
        return self._model.decoder.group

    def _put(self, numbers: Ids | Floats) -> Tensor:
        """Put numbers where the model is; on a CPU without a copy."""
        return torch.from_numpy(numbers).to(self._model.decoder.words.weight.device)

    @torch.no_grad()
    def begin(self, source: Sources) -> TokenState:
        """Encode the sources and allocate the cache."""
        keys = source.keys() if self._draw else ()
        noise = None
        if self._draw and self._model.noisy_units:
            positions = self._model.positions(source.values.shape[1])
            drawn = self._draw.for_encoder(keys, positions, units=self._model.noisy_units)
            noise = self._put(drawn)
        memory, present = self._model.remember(
            self._put(source.values), self._put(source.lengths), noise
        )
        cache = memory.new_empty(FIRST_POSITIONS, len(memory), *memory.shape[2:])
        return TokenState(memory, present, np.arange(len(memory)), keys, cache)

    @torch.no_grad()
    def step(self, tokens: Ids, state: TokenState) -> tuple[Floats, TokenState]:
        """Score the next tokens and append the keys and values of those fed [rows, slots]."""
        units = self._model.decoder.noisy_units
        noise = None
        if self._draw and units:
            noise = self._put(self._draw.for_step(state.keys, state.position, units=units))
        end = state.position + tokens.shape[1]
        while end > len(state.cache):
            state.cache = torch.cat([state.cache, torch.empty_like(state.cache)])
        logits, new = self._model.decoder(
            self._put(tokens),
            state.cache[: state.position],
            state.memory,
            present=state.present,
            noise=noise,
        )
        state.cache[state.position : end] = new
        state.position = end
        scores: Floats = logits.cpu().numpy()
        return scores, state

    @torch.no_grad()
    def reorder(self, state: TokenState, rows: Ids) -> TokenState:
        """Take rows over, with their memory and cache; the memory stays where its sources do."""
        index = self._put(np.asarray(rows, dtype=np.int64))
        filled = state.cache[: state.position, index]
        cache = filled.new_empty(len(state.cache), *filled.shape[1:])
        cache[: state.position] = filled
        sources = state.sources[rows]
        if np.array_equal(sources, state.sources):
            return replace(state, cache=cache)
        return replace(
            state,
            memory=state.memory[index],
            present=state.present[index],
            sources=sources,
            keys=tuple(state.keys[int(row)] for row in rows) if state.keys else (),
            cache=cache,
        )


class TorchTokenStepper:
    """A `TokenStepper` on a PyTorch model whose decoder gives one token a step; see above.

    Args:
        model: In evaluation mode.
        draw: The sample whose winners are drawn; by default the likeliest units win.
    """

    def __init__(self, model: TokenModel, draw: Draw | None = None) -> None:
        self._groups = TorchGroupStepper(model, draw)
        self.begin, self.reorder = self._groups.begin, self._groups.reorder

    @property
    def num_tokens(self) -> int:
        """Size of the target vocabulary."""
        return self._groups.num_tokens

    def step(self, tokens: Ids, state: TokenState) -> tuple[Scores, TokenState]:
        """Score the next tokens and append the keys and values of those fed [rows]."""
        logits, state = self._groups.step(tokens[:, None], state)
        scores = logits[:, 0]
        return Scores(scores, scores[None]), state


def sampled_stepper(model: nn.Module, *, samples: int, seed: int = 0) -> Members:
    """Make a stepper that averages the logits of joint samples of weights and winners.

    Args:
        model: A `TokenModel`; stays as it is.
        samples: Samples, S.
        seed: Decides all of them.
    """
    return Members(
        [
            TorchTokenStepper(
                _token_model(sample_weights(model, seed=seed, sample=one)), Draw(seed, one)
            )
            for one in range(samples)
        ]
    )


def _token_model(model: nn.Module) -> TokenModel:
    assert isinstance(model, TokenModel)
    return model
