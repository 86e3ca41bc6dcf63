"""Conformer encoder (Gulati et al. 2020): attention for the whole, convolution for what is near.

    x ← x + ½ FFN(x);  x ← x + MHA(x);  x ← x + Conv(x);  x ← LN(x + ½ FFN(x))

Differs from the paper: positions are absolute, added by who embeds, and the convolution is
normalised over channels instead of over the batch, so that a row is the same alone and in a batch.
"""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from signloom.core.attention import Attention
from signloom.core.dense import SILU
from signloom.core.feedforward import FeedForward
from signloom.core.residual import Residual


class ConvolutionModule(nn.Module):
    """Gated linear unit, depthwise convolution over time, SiLU.

    Args:
        dim: Size of a step.
        kernel: Steps that the convolution sees, odd.
    """

    def __init__(self, dim: int, *, kernel: int) -> None:
        super().__init__()
        self.gate = nn.Linear(dim, 2 * dim)
        self.depthwise = nn.Conv1d(dim, dim, kernel, padding=kernel // 2, groups=dim)
        self.norm = nn.LayerNorm(dim)
        self.output = nn.Linear(dim, dim)

    def forward(
        self, x: Float[Tensor, "batch steps dim"], present: Bool[Tensor, "batch steps"]
    ) -> Float[Tensor, "batch steps dim"]:
        """Convolve; what is padding counts as 0."""
        x = functional.glu(self.gate(x)) * present[..., None]
        x = self.depthwise(x.transpose(1, 2)).transpose(1, 2)
        return self.output(functional.silu(self.norm(x)))


class ConformerLayer(nn.Module):
    """One block."""

    def __init__(
        self, dim: int, ffn_dim: int, *, num_heads: int, kernel: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.first = FeedForward(dim, ffn_dim, dropout=dropout, dense=SILU)
        self.attention = Attention(dim, num_heads, dropout=dropout)
        self.convolution = ConvolutionModule(dim, kernel=kernel)
        self.second = FeedForward(dim, ffn_dim, dropout=dropout, dense=SILU)
        self.residuals = nn.ModuleList(Residual(dim, norm="pre", dropout=dropout) for _ in range(4))
        self.norm = nn.LayerNorm(dim)

    def forward(
        self, x: Float[Tensor, "batch steps dim"], present: Bool[Tensor, "batch steps"]
    ) -> Float[Tensor, "batch steps dim"]:
        """Run the block; `present` is True at the steps that exist."""
        first, attention, convolution, second = self.residuals
        mask = present[:, None]
        x = first(x, lambda y: self.first(y) / 2)
        x = attention(x, lambda y: self.attention(y, self.attention.project(y), mask))
        x = convolution(x, lambda y: self.convolution(y, present))
        return self.norm(second(x, lambda y: self.second(y) / 2))


class ConformerEncoder(nn.Module):
    """A stack of blocks."""

    def __init__(
        self,
        dim: int,
        ffn_dim: int,
        *,
        num_layers: int,
        num_heads: int,
        kernel: int = 15,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            ConformerLayer(dim, ffn_dim, num_heads=num_heads, kernel=kernel, dropout=dropout)
            for _ in range(num_layers)
        )

    def forward(
        self, x: Float[Tensor, "batch steps dim"], present: Bool[Tensor, "batch steps"]
    ) -> Float[Tensor, "batch steps dim"]:
        """Encode a padded batch; `present` is True at the steps that exist."""
        for layer in self.layers:
            x = layer(x, present)
        return x
