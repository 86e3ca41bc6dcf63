"""The pyramid semi-autoregressive decoder (PSAT-RS § 3.3): both schedules, by the same layers.

Every layer attends by the relaxed mask of its own level. The schedules differ in what is fed:

    block     h_0 = E(y shifted by s),    h_l = layer_l(h_{l−1}, mask d_l)
    injected  h_0 = E(y shifted by d_1),  h_l = layer_l(h_{l−1} + E(y shifted by d_l), mask d_l)

with the least shift `s` that leaks nothing. Slot `i` is fed frame `i - shift`; the first `shift`
slots are fed an embedding of the length. Teacher forcing is one step over all slots with an empty
cache, decoding is a step a block: the same code, so decoding equals the teacher-forced pass on its
own output. Levels of all ones are the autoregressive transformer; levels as long as the sequence
are the non-autoregressive one.

Differs from the paper: the shift is what the masks ask for (with shift 1 relaxed masks leak); every
query may also carry PE(t · N / L), its place in the source (`source_relative`). Under `injected`
all layers share one embedding E, positions included, and the bottom layer is given h_0 alone:
adding E(y shifted by d_1) again would only double it.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.core.attention import KeysValues
from signloom.core.cache import Memory, layer_of_cache, layer_of_memory
from signloom.core.embeddings import PoseEmbedding
from signloom.core.masks import length_mask, relaxed_mask_between
from signloom.core.positions import sinusoidal
from signloom.core.residual import Norm
from signloom.decoders.layer import DecoderLayer, DecoderLayers
from signloom.search.levels import Schedule


class PyramidDecoder(nn.Module):
    """Frames out of frames and a memory, a block a step.

    Args:
        embedding: Embeds the frames fed to the slots.
        schedule: Group size of each layer, and how it is fed.
        ffn_dim: Hidden size of the feed-forward networks.
        num_heads: Attention heads of each layer.
        dropout: Dropout probability in training.
        norm: Normalise after (`post`) or before (`pre`) each sub-layer.
        source_relative: Add PE(t · N / L) to every query.
        counter: The last number of a frame counts progress, so the length is not told.
    """

    def __init__(
        self,
        embedding: PoseEmbedding,
        schedule: Schedule,
        *,
        ffn_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        norm: Norm = "post",
        source_relative: bool = True,
        counter: bool = False,
    ) -> None:
        super().__init__()
        dim = embedding.dim
        self.schedule = schedule
        self.dim = dim
        self.source_relative = source_relative
        self.counter = counter
        self.embedding = embedding
        self.start = nn.Linear(dim, dim)
        self.dropout = nn.Dropout(dropout)
        self.layers = DecoderLayers(
            DecoderLayer(dim, ffn_dim, num_heads=num_heads, dropout=dropout, norm=norm)
            for _ in schedule.levels
        )
        self.norm = nn.LayerNorm(dim) if norm == "pre" else nn.Identity()
        self.output = nn.Linear(dim, embedding.num_features)

    def remember(self, states: Float[Tensor, "batch tokens dim"]) -> Memory:
        """Project the encoder's states into every layer's keys and values, once a sentence."""
        return self.layers.remember(states)

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
        """Run all layers over the slots that follow the cache: a pass of the schedule `block`.

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
        queries, keys = self._places(window, past.shape[0], position)
        inside = length_mask(lengths, keys)[:, None]
        x = self._embed(
            window, queries, shift=self.schedule.shift, lengths=lengths, present=present
        )
        news = []
        for index, (layer, level) in enumerate(zip(self.layers, self.schedule.levels, strict=True)):
            x, new = layer(
                x,
                layer_of_cache(past, index),
                layer_of_memory(memory, index),
                mask=relaxed_mask_between(queries, keys, group=level)[None] & inside,
                source_mask=present[:, None],
            )
            news.append(new)
        return self.output(self.norm(x)), torch.stack(news, dim=2).transpose(0, 1)

    def run_layer(
        self,
        index: int,
        window: Float[Tensor, "batch window features"],
        below: Float[Tensor, "batch slots dim"] | None,
        past: Float[Tensor, "positions batch two heads head_dim"],
        memory: KeysValues,
        *,
        position: Int[Tensor, ""],
        lengths: Int[Tensor, "batch"],
        present: Bool[Tensor, "batch tokens"],
    ) -> tuple[
        Float[Tensor, "batch slots states"], Float[Tensor, "slots batch two heads head_dim"]
    ]:
        """Run one layer over the slots that follow its own cache, for the schedule `injected`.

        Args:
            index: Which layer, bottom first.
            window: The frame fed to each slot by this layer's shift, after the span before.
            below: What the layer below gave for the slots; None at the bottom.
            past: This layer's keys and values of the slots before these.
            memory: This layer's keys and values of the source.
            position: As `forward`.
            lengths: As `forward`.
            present: As `forward`.

        Returns:
            The layer's states, or the frames from the top layer; and the keys and values to append.
        """
        level = self.schedule.levels[index]
        queries, keys = self._places(window, past.shape[0], position)
        x = self._embed(window, queries, shift=level, lengths=lengths, present=present)
        x, new = self.layers[index](
            x if below is None else below + x,
            past.transpose(0, 1),
            memory,
            mask=relaxed_mask_between(queries, keys, group=level)[None]
            & length_mask(lengths, keys)[:, None],
            source_mask=present[:, None],
        )
        is_top = index == len(self.layers) - 1
        return self.output(self.norm(x)) if is_top else x, new.transpose(0, 1)

    def _places(
        self, window: Tensor, known: int, position: Int[Tensor, ""]
    ) -> tuple[Int[Tensor, "slots"], Int[Tensor, "keys"]]:
        """Give the positions of the slots, and of everything that they may look at."""
        slots = window.shape[1] - self.embedding.velocity_span
        queries = position + torch.arange(slots, device=window.device)
        return queries, torch.arange(known + slots, device=window.device)

    def _embed(
        self,
        window: Float[Tensor, "batch window features"],
        queries: Int[Tensor, "slots"],
        *,
        shift: int,
        lengths: Int[Tensor, "batch"],
        present: Bool[Tensor, "batch tokens"],
    ) -> Float[Tensor, "batch slots dim"]:
        times = queries.to(window.dtype)
        told = torch.zeros_like(lengths) if self.counter else lengths
        start = self.start(sinusoidal(told.to(window.dtype), self.dim))[:, None]
        start = start + sinusoidal(times, self.dim)
        x = torch.where((queries < shift)[None, :, None], start, self.embedding(window, times))
        if self.source_relative:
            rate = present.sum(1).to(window.dtype) / lengths.to(window.dtype)
            x = x + sinusoidal(times[None] * rate[:, None], self.dim)
        return self.dropout(x)
