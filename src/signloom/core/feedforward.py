"""Position-wise feed-forward network, FFN(x) = act(x W_1 + b_1) W_2 + b_2.

PSAT-RS eq. 13 prints max(0, W_1 x + b_1) W_2 + b_2: the same, with act a ReLU. The stochastic
transformer lets linear units compete instead (`core.lwta`).
"""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor, nn

from signloom.core.dense import RELU, Dense


class FeedForward(nn.Sequential):
    """Two linear layers with a non-linearity between them.

    Args:
        dim: Size of input and output.
        hidden_dim: Size between the two layers.
        dropout: Probability of dropping a hidden unit in training.
        dense: What the layers are made of.
    """

    def __init__(
        self, dim: int, hidden_dim: int, *, dropout: float = 0.0, dense: Dense = RELU
    ) -> None:
        super().__init__(
            dense.linear(dim, hidden_dim),
            dense.activation(),
            nn.Dropout(dropout),
            dense.linear(hidden_dim, dim),
        )

    def forward(
        self,
        x: Float[Tensor, "batch positions dim"],
        noise: Float[Tensor, "batch positions hidden"] | None = None,
    ) -> Float[Tensor, "batch positions dim"]:
        """Run the network; `noise` decides the winners of a competition in evaluation."""
        first, activation, dropout, second = self
        return second(dropout(Dense.activate(activation, first(x), noise)))
