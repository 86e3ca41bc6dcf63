"""The pyramid semi-autoregressive decoder (PSAT-RS § 3.3), by one function.

Every layer attends by the relaxed mask of its own level. Slot `i` is fed frame `i - shift`; the
first `shift` slots are fed an embedding of the length. Teacher forcing is one step over all slots
with an empty cache, decoding is a step a block: the same code, so decoding equals the
teacher-forced pass on its own output. Levels of all ones are the autoregressive transformer; levels
as long as the sequence are the non-autoregressive one.

Differs from the paper: the shift is the largest level (with shift 1 relaxed masks leak); every
query may also carry PE(t · N / L), its place in the source (`source_relative`).
"""

from __future__ import annotations

from typing import cast

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.core.attention import Attention
from signloom.core.cache import Memory, layer_of_cache, layer_of_memory
from signloom.core.embeddings import PoseEmbedding
from signloom.core.feedforward import FeedForward
from signloom.core.masks import length_mask, relaxed_mask_between
from signloom.core.positions import sinusoidal
from signloom.core.residual import Norm, Residual
from signloom.decoders.levels import schedule


class DecoderLayer(nn.Module):
    """Self-attention by a mask, attention to the memory, feed-forward."""

    def __init__(
        self, dim: int, ffn_dim: int, *, num_heads: int, dropout: float = 0.0, norm: Norm = "post"
    ) -> None:
        super().__init__()
        self.self_attention = Attention(dim, num_heads, dropout=dropout)
        self.cross_attention = Attention(dim, num_heads, dropout=dropout)
        self.feedforward = FeedForward(dim, ffn_dim, dropout=dropout)
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
        mask: Bool[Tensor, "batch slots keys"],
        source_mask: Bool[Tensor, "batch 1 tokens"],
    ) -> tuple[Float[Tensor, "batch slots dim"], Float[Tensor, "batch slots two heads head_dim"]]:
        """Run the layer; give its output and the keys and values of its own slots."""
        inner = self.self_residual.enter(x)
        new = self.self_attention.project(inner)
        attended = self.self_attention(inner, torch.cat([past, new], dim=1), mask)
        x = self.self_residual.leave(x, attended)
        x = self.cross_residual(x, lambda y: self.cross_attention(y, memory, source_mask))
        return self.feedforward_residual(x, self.feedforward), new


class PyramidDecoder(nn.Module):
    """Frames out of frames and a memory, a block a step.

    Args:
        embedding: Embeds the frames fed to the slots.
        levels: Group size of each layer, bottom first.
        num_features: Coordinates of one frame.
        ffn_dim: Hidden size of the feed-forward networks.
        num_heads: Attention heads of each layer.
        dropout: Dropout probability in training.
        norm: Normalise after (`post`) or before (`pre`) each sub-layer.
        source_relative: Add PE(t · N / L) to every query.
    """

    def __init__(
        self,
        embedding: PoseEmbedding,
        levels: tuple[int, ...],
        *,
        num_features: int,
        ffn_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        norm: Norm = "post",
        source_relative: bool = True,
    ) -> None:
        super().__init__()
        dim = embedding.dim
        self.schedule = schedule(levels)
        self.dim = dim
        self.source_relative = source_relative
        self.embedding = embedding
        self.start = nn.Linear(dim, dim)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(
            DecoderLayer(dim, ffn_dim, num_heads=num_heads, dropout=dropout, norm=norm)
            for _ in levels
        )
        self.norm = nn.LayerNorm(dim) if norm == "pre" else nn.Identity()
        self.output = nn.Linear(dim, num_features)

    def remember(self, states: Float[Tensor, "batch tokens dim"]) -> Memory:
        """Project the encoder's states into every layer's keys and values, once a sentence."""
        return torch.stack([layer.remember(states) for layer in self._layers()], dim=2)

    def forward(
        self,
        window: Float[Tensor, "batch window features"],
        past: Float[Tensor, "positions batch layers two heads head_dim"],
        memory: Memory,
        *,
        position: Int[Tensor, ""],
        lengths: Int[Tensor, "batch"],
        present: Bool[Tensor, "batch tokens"],
    ) -> tuple[
        Float[Tensor, "batch slots features"],
        Float[Tensor, "slots batch layers two heads head_dim"],
    ]:
        """Decode the slots that follow the cache.

        Args:
            window: The frame fed to each slot, after `velocity_span` earlier frames.
            past: Keys and values of the slots before these.
            memory: Keys and values of the source, from `remember`.
            position: Index of the first slot: the number of positions in `past`.
            lengths: Frames of each row; slots beyond it are never attended to.
            present: True at real tokens of the source.

        Returns:
            The slots' frames, and the keys and values to append to the cache.
        """
        slots = window.shape[1] - self.embedding.velocity_span
        queries = position + torch.arange(slots, device=window.device)
        keys = torch.arange(past.shape[0] + slots, device=window.device)
        inside = length_mask(lengths, keys)[:, None]
        x = self.dropout(self._embed(window, queries, lengths=lengths, present=present))
        news = []
        for index, (layer, level) in enumerate(
            zip(self._layers(), self.schedule.levels, strict=True)
        ):
            x, new = layer(
                x,
                layer_of_cache(past, index),
                layer_of_memory(memory, index),
                mask=relaxed_mask_between(queries, keys, group=level)[None] & inside,
                source_mask=present[:, None],
            )
            news.append(new)
        return self.output(self.norm(x)), torch.stack(news, dim=2).transpose(0, 1)

    def _layers(self) -> list[DecoderLayer]:
        return [cast(DecoderLayer, layer) for layer in self.layers]

    def _embed(
        self,
        window: Float[Tensor, "batch window features"],
        queries: Int[Tensor, "slots"],
        *,
        lengths: Int[Tensor, "batch"],
        present: Bool[Tensor, "batch tokens"],
    ) -> Float[Tensor, "batch slots dim"]:
        times = queries.to(window.dtype)
        start = self.start(sinusoidal(lengths.to(window.dtype), self.dim))[:, None]
        start = start + sinusoidal(times, self.dim)
        x = torch.where(
            (queries < self.schedule.shift)[None, :, None], start, self.embedding(window, times)
        )
        if not self.source_relative:
            return x
        rate = present.sum(1).to(window.dtype) / lengths.to(window.dtype)
        return x + sinusoidal(times[None] * rate[:, None], self.dim)
