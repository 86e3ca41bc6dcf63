"""Transformer encoder: self-attention and feed-forward over a padded source (PSAT-RS § 3.3)."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn

from signloom.core.attention import Attention
from signloom.core.dense import RELU, Dense
from signloom.core.feedforward import FeedForward
from signloom.core.lwta import shares
from signloom.core.residual import Norm, Residual


class EncoderLayer(nn.Module):
    """One encoder block: attention, then feed-forward, each in a residual connection."""

    def __init__(
        self,
        dim: int,
        ffn_dim: int,
        *,
        num_heads: int,
        dropout: float = 0.0,
        norm: Norm = "post",
        dense: Dense = RELU,
    ) -> None:
        super().__init__()
        self.attention = Attention(dim, num_heads, dropout=dropout, dense=dense)
        self.feedforward = FeedForward(dim, ffn_dim, dropout=dropout, dense=dense)
        self.attention_residual = Residual(dim, norm=norm, dropout=dropout)
        self.feedforward_residual = Residual(dim, norm=norm, dropout=dropout)

    def forward(
        self,
        x: Float[Tensor, "batch tokens dim"],
        mask: Bool[Tensor, "batch 1 tokens"],
        noise: Float[Tensor, "batch tokens units"] | None = None,
    ) -> Float[Tensor, "batch tokens dim"]:
        """Run the block; `mask` is True at the tokens that exist, `noise` decides winners."""
        x = self.attention_residual(x, lambda y: self.attention(y, self.attention.project(y), mask))
        return self.feedforward_residual(x, lambda y: self.feedforward(y, noise))


class Encoder(nn.Module):
    """A stack of encoder blocks; with `norm="pre"` a last normalisation closes it."""

    def __init__(
        self,
        dim: int,
        ffn_dim: int,
        *,
        num_layers: int,
        num_heads: int,
        dropout: float = 0.0,
        norm: Norm = "post",
        dense: Dense = RELU,
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(dim, ffn_dim, num_heads=num_heads, dropout=dropout, norm=norm, dense=dense)
            for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(dim) if norm == "pre" else nn.Identity()

    def forward(
        self,
        x: Float[Tensor, "batch tokens dim"],
        present: Bool[Tensor, "batch tokens"],
        noise: Float[Tensor, "batch tokens units"] | None = None,
    ) -> Float[Tensor, "batch tokens dim"]:
        """Encode a padded batch.

        Args:
            x: Embedded source.
            present: True at real tokens.
            noise: Gumbel noise for the competing units of all layers, in evaluation.
        """
        mask = present[:, None]
        for layer, share in zip(self.layers, shares(noise, len(self.layers)), strict=True):
            x = layer(x, mask, share)
        return self.norm(x)
