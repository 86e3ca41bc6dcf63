"""One decoder layer (PSAT-RS eq. 10): self-attention by a mask, the memory, feed-forward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from signloom.core.attention import Attention
from signloom.core.cache import Memory
from signloom.core.dense import RELU, Dense
from signloom.core.feedforward import FeedForward
from signloom.core.residual import Norm, Residual


class DecoderLayer(nn.Module):
    """Self-attention by a mask, attention to the memory, feed-forward.

    Without keys of its own (`own_keys=False`) its slots attend to what the caller gives alone.
    """

    def __init__(
        self,
        dim: int,
        ffn_dim: int,
        *,
        num_heads: int,
        dropout: float = 0.0,
        norm: Norm = "post",
        dense: Dense = RELU,
        own_keys: bool = True,
    ) -> None:
        super().__init__()
        self.self_attention = Attention(
            dim, num_heads, dropout=dropout, dense=dense, own_keys=own_keys
        )
        self.cross_attention = Attention(dim, num_heads, dropout=dropout, dense=dense)
        self.feedforward = FeedForward(dim, ffn_dim, dropout=dropout, dense=dense)
        self.self_residual = Residual(dim, norm=norm, dropout=dropout)
        self.cross_residual = Residual(dim, norm=norm, dropout=dropout)
        self.feedforward_residual = Residual(dim, norm=norm, dropout=dropout)

    def remember(
        self, states: Float[Tensor, "batch tokens dim"]
    ) -> Float[Tensor, "batch tokens two heads head_dim"]:
        """Project the encoder's states into this layer's keys and values."""
        return self.cross_attention.project(states)

    def forward(
        self,
        x: Float[Tensor, "batch slots dim"],
        past: Float[Tensor, "batch earlier two heads head_dim"],
        memory: Float[Tensor, "batch tokens two heads head_dim"],
        *,
        mask: Bool[Tensor, "#batch slots keys"],
        source_mask: Bool[Tensor, "batch 1 tokens"],
        noise: Float[Tensor, "batch slots units"] | None = None,
    ) -> tuple[Float[Tensor, "batch slots dim"], Float[Tensor, "batch own two heads head_dim"]]:
        """Run the layer; give its output and the keys and values of its own slots."""
        inner = self.self_residual.enter(x)
        new = self.self_attention.project(inner)
        attended = self.self_attention(inner, torch.cat([past, new], dim=1), mask)
        x = self.self_residual.leave(x, attended)
        x = self.cross_residual(x, lambda y: self.cross_attention(y, memory, source_mask))
        return self.feedforward_residual(x, lambda y: self.feedforward(y, noise)), new


class DecoderLayers(nn.ModuleList):
    """Layers of a decoder; each attends to the memory by keys and values of its own."""

    def __iter__(self) -> Iterator[DecoderLayer]:
        return cast(Iterator[DecoderLayer], super().__iter__())

    def remember(self, states: Float[Tensor, "batch tokens dim"]) -> Memory:
        """Project the encoder's states into every layer's keys and values, once a sentence."""
        return torch.stack([layer.remember(states) for layer in self], dim=2)
