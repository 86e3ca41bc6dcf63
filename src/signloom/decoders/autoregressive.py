"""The decoder of words: each token, or each group of K, from the tokens before it and a memory.

It is the pyramid decoder with one level K on all layers (SATIC § 3.3): every layer attends by the
relaxed mask, and position `i` is fed token `i - K`; the first K are fed a start token and told
apart by their positions. K = 1 is the autoregressive transformer. Teacher forcing is one step over
all tokens with an empty cache, decoding is a step a group: the same code.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.core.cache import Memory, layer_of_cache, layer_of_memory
from signloom.core.dense import RELU, Dense
from signloom.core.embeddings import WordEmbedding
from signloom.core.lwta import shares
from signloom.core.masks import relaxed_mask_between
from signloom.core.positions import sinusoidal
from signloom.core.residual import Norm
from signloom.decoders.layer import DecoderLayer, DecoderLayers


class AutoregressiveDecoder(nn.Module):
    """Tokens out of tokens and a memory.

    Args:
        num_tokens: Size of the vocabulary; id 0 is padding.
        dim: Size of every state.
        ffn_dim: Hidden size of the feed-forward networks.
        num_layers: Decoder layers.
        num_heads: Attention heads of each layer.
        dropout: Dropout probability in training.
        norm: Normalise after (`post`) or before (`pre`) each sub-layer.
        dense: What dense layers are made of; the embedding is an ordinary one.

    Attributes:
        group: Tokens that come at once, K; 1 unless whoever assembles the model sets it.
    """

    def __init__(
        self,
        num_tokens: int,
        dim: int,
        *,
        ffn_dim: int,
        num_layers: int,
        num_heads: int,
        dropout: float = 0.0,
        norm: Norm = "post",
        dense: Dense = RELU,
    ) -> None:
        super().__init__()
        self.dim = dim
        self.num_tokens = num_tokens
        self.group = 1
        self.noisy_units = num_layers * dense.noisy_units(ffn_dim)
        self.words = WordEmbedding(num_tokens, dim)
        self.dropout = nn.Dropout(dropout)
        self.layers = DecoderLayers(
            DecoderLayer(dim, ffn_dim, num_heads=num_heads, dropout=dropout, norm=norm, dense=dense)
            for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(dim) if norm == "pre" else nn.Identity()
        self.output = dense.linear(dim, num_tokens)

    def remember(self, states: Float[Tensor, "batch source dim"]) -> Memory:
        """Project the encoder's states into every layer's keys and values, once a sentence."""
        return self.layers.remember(states)

    def forward(
        self,
        tokens: Int[Tensor, "batch slots"],
        past: Float[Tensor, "positions batch layers two heads head_dim"],
        memory: Memory,
        *,
        present: Bool[Tensor, "batch source"],
        noise: Float[Tensor, "batch slots units"] | None = None,
    ) -> tuple[
        Float[Tensor, "batch slots words"],
        Float[Tensor, "slots batch layers two heads head_dim"],
    ]:
        """Run all layers over the tokens that follow the cache.

        Args:
            tokens: What each slot is fed: the token `group` places before it.
            past: Keys and values of the slots before these.
            memory: Keys and values of the source, from `remember`.
            present: True at real positions of the source.
            noise: Gumbel noise for the competing units of all layers, in evaluation.

        Returns:
            The logits of each slot's token, and the keys and values to append to the cache.
        """
        known = past.shape[0]
        queries = known + torch.arange(tokens.shape[1], device=tokens.device)
        keys = torch.arange(known + tokens.shape[1], device=tokens.device)
        mask = relaxed_mask_between(queries, keys, group=self.group)[None]
        x = self.words(tokens) + sinusoidal(queries.float(), self.dim)
        x = self.dropout(x)
        news = []
        for index, (layer, share) in enumerate(
            zip(self.layers, shares(noise, len(self.layers)), strict=True)
        ):
            x, new = layer(
                x,
                layer_of_cache(past, index),
                layer_of_memory(memory, index),
                mask=mask,
                source_mask=present[:, None],
                noise=share,
            )
            news.append(new)
        return self.output(self.norm(x)), torch.stack(news, dim=2).transpose(0, 1)

    def teacher_forced(
        self,
        tokens: Int[Tensor, "batch slots"],
        memory: Memory,
        *,
        present: Bool[Tensor, "batch source"],
    ) -> Float[Tensor, "batch slots words"]:
        """Give the logits of every slot, each fed the true token `group` places before it."""
        nothing = memory.new_zeros(0, len(tokens), *memory.shape[2:])
        return self(tokens, nothing, memory, present=present)[0]
