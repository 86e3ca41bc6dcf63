"""Position-wise feed-forward network, FFN(x) = relu(x W_1 + b_1) W_2 + b_2.

PSAT-RS eq. 13 prints max(0, W_1 x + b_1) W_2 + b_2: the same.
"""

from __future__ import annotations

from torch import nn


class FeedForward(nn.Sequential):
    """Two linear layers with a ReLU between them.

    Args:
        dim: Size of input and output.
        hidden_dim: Size between the two layers.
        dropout: Probability of dropping a hidden unit in training.
    """

    def __init__(self, dim: int, hidden_dim: int, *, dropout: float = 0.0) -> None:
        super().__init__(
            nn.Linear(dim, hidden_dim), nn.ReLU(), nn.Dropout(dropout), nn.Linear(hidden_dim, dim)
        )
