"""A residual connection around a sub-layer, normalised after it or before it.

post: LN(x + SubLayer(x))     (PSAT-RS eq. 10, the default)
pre:  x + SubLayer(LN(x))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from jaxtyping import Float
from torch import Tensor, nn

Norm = Literal["post", "pre"]


class Residual(nn.Module):
    """Wrap a sub-layer with dropout, a residual connection and layer normalisation."""

    def __init__(self, dim: int, *, norm: Norm = "post", dropout: float = 0.0) -> None:
        super().__init__()
        self.pre = norm == "pre"
        self.norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)

    def enter(
        self, x: Float[Tensor, "batch positions dim"]
    ) -> Float[Tensor, "batch positions dim"]:
        """Give what the sub-layer reads: `x` itself, or its normalisation when `norm` is pre."""
        return self.norm(x) if self.pre else x

    def leave(
        self, x: Float[Tensor, "batch positions dim"], output: Float[Tensor, "batch positions dim"]
    ) -> Float[Tensor, "batch positions dim"]:
        """Add the sub-layer's output to `x`, normalised when `norm` is post."""
        total = x + self.dropout(output)
        return total if self.pre else self.norm(total)

    def forward(
        self, x: Float[Tensor, "batch positions dim"], sublayer: Callable[[Tensor], Tensor]
    ) -> Float[Tensor, "batch positions dim"]:
        """Run `sublayer` inside the connection."""
        return self.leave(x, sublayer(self.enter(x)))
