"""The unified bidirectional decoder: every token of a transcript from all the others and speech.

    vanilla            Q, K, V = Linear(C + P), in each layer anew                  (NAT-UBD eq. 2)
    separate streams   Q̂ = Linear(P), then of the layer below                       (eq. 3)
                       K̂, V̂ = Linear(C + P), one projection for all layers          (eq. 4)
    mask               a token sees all tokens but itself, or those on one side of it

With separate streams and the mask nothing of token `t` reaches output `t`: it cannot be copied, so
that true transcripts can be its input in training. The mask is minus infinity before the softmax;
multiplied after it, as the paper says, it leaks through the normaliser. A token that sees nothing
attends to a null key, whose value is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.core.cache import Memory, layer_of_memory
from signloom.core.embeddings import WordEmbedding
from signloom.core.masks import Sight, sight_mask
from signloom.core.positions import sinusoidal
from signloom.core.residual import Norm
from signloom.decoders.layer import DecoderLayer, DecoderLayers


@dataclass(frozen=True, kw_only=True)
class Guard:
    """What keeps a token from its own output.

    Attributes:
        sight: What a token sees of the others.
        separate: Whether queries are kept apart from the tokens (Q̂K̂V̂).
    """

    sight: Sight = "unified"
    separate: bool = True


class RefinementDecoder(nn.Module):
    """One pass over a transcript: it reads all tokens and predicts all anew.

    Args:
        num_tokens: Size of the vocabulary; id 0 is padding.
        dim: Size of every state.
        ffn_dim: Hidden size of the feed-forward networks.
        num_layers: Decoder layers.
        num_heads: Attention heads of each layer.
        guard: What keeps a token from its own output.
        dropout: Dropout probability in training.
        norm: Normalise after (`post`) or before (`pre`) each sub-layer.
    """

    def __init__(
        self,
        num_tokens: int,
        dim: int,
        *,
        ffn_dim: int,
        num_layers: int,
        num_heads: int,
        guard: Guard = Guard(),
        dropout: float = 0.0,
        norm: Norm = "pre",
    ) -> None:
        super().__init__()
        self.dim, self.num_heads, self.sight = dim, num_heads, guard.sight
        self.words = WordEmbedding(num_tokens, dim)
        self.dropout = nn.Dropout(dropout)
        self.keys_values = nn.Linear(dim, 2 * dim) if guard.separate else None
        self.layers = DecoderLayers(
            DecoderLayer(
                dim,
                ffn_dim,
                num_heads=num_heads,
                dropout=dropout,
                norm=norm,
                own_keys=not guard.separate,
            )
            for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(dim) if norm == "pre" else nn.Identity()
        self.output = nn.Linear(dim, num_tokens)

    def remember(self, states: Float[Tensor, "batch steps dim"]) -> Memory:
        """Project the encoder's states into every layer's keys and values, once an utterance."""
        return self.layers.remember(states)

    def forward(
        self,
        tokens: Int[Tensor, "batch slots"],
        lengths: Int[Tensor, "batch"],
        memory: Memory,
        *,
        present: Bool[Tensor, "batch steps"],
    ) -> Float[Tensor, "batch slots vocabulary"]:
        """Predict every token from the others.

        Args:
            tokens: A transcript of each row, padded.
            lengths: Tokens of each row.
            memory: Keys and values of the speech, from `remember`.
            present: True at real steps of the speech.
        """
        batch, slots = tokens.shape  # `len` would fix the batch of an exported graph
        places = torch.arange(slots, device=tokens.device).float()
        positions = sinusoidal(places, self.dim).expand(batch, slots, self.dim)
        content = self.dropout(self.words(tokens) + positions)
        mask = sight_mask(lengths, slots, sight=self.sight)
        mask = torch.cat([~mask.any(-1, keepdim=True), mask], dim=-1)
        known = content.new_zeros(batch, 1, 2, self.num_heads, self.dim // self.num_heads)
        x = content
        if self.keys_values is not None:
            x = self.dropout(positions)
            own = self.keys_values(content).unflatten(-1, (2, self.num_heads, -1))
            known = torch.cat([known, own], dim=1)
        for index, layer in enumerate(self.layers):
            x, _ = layer(
                x,
                known,
                layer_of_memory(memory, index),
                mask=mask,
                source_mask=present[:, None],
            )
        return self.output(self.norm(x))


class SideBySide(nn.Module):
    """Refinement decoders that read the same transcript, such as one from each side.

    Their layers lie one after another in the memory.

    Args:
        readers: The decoders.
    """

    def __init__(self, *readers: RefinementDecoder) -> None:
        super().__init__()
        self.readers = nn.ModuleList(readers)

    def remember(self, states: Float[Tensor, "batch steps dim"]) -> Memory:
        """Project the encoder's states for all of them."""
        return torch.cat([reader.remember(states) for reader in self.decoders], dim=2)

    def forward(
        self,
        tokens: Int[Tensor, "batch slots"],
        lengths: Int[Tensor, "batch"],
        memory: Memory,
        *,
        present: Bool[Tensor, "batch steps"],
    ) -> Float[Tensor, "readers batch slots vocabulary"]:
        """Give what each of them predicts; see `RefinementDecoder`."""
        found, first = [], 0
        for reader in self.decoders:
            last = first + len(reader.layers)
            found.append(reader(tokens, lengths, memory[:, :, first:last], present=present))
            first = last
        return torch.stack(found)

    @property
    def decoders(self) -> list[RefinementDecoder]:
        """The decoders, typed."""
        return [one for one in self.readers if isinstance(one, RefinementDecoder)]
