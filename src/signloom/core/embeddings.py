"""Embeddings of what goes in: source tokens, and pose frames with position and velocity.

Source (PSAT-RS eq. 1):          relu(W_2 relu(W_1 s + b_1) + b_2) + PE(n)
Rich semantics (eq. 2–7):        e_p = relu(W_2 relu(W_1 p + b_1) + b_2) + PE(t), e_v likewise
Fusion (eq. 7 leaves it open):   concatenation and a linear layer, or the sum

Velocity is (p_t − p_{t−span}) / span, divided by its standard deviation over the training data and
clipped to ± 3; span 1 is the paper's, a longer span is smoother. Differs from the paper: one vector
a frame (all joints), and the division, without which the branch is too small to be used.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from signloom.core.positions import sinusoidal

VELOCITY_LIMIT = 3.0


def two_layers(in_dim: int, dim: int) -> nn.Sequential:
    """Make relu(W_2 relu(W_1 x + b_1) + b_2), the embedding of PSAT-RS eq. 1, 5 and 6."""
    return nn.Sequential(nn.Linear(in_dim, dim), nn.ReLU(), nn.Linear(dim, dim), nn.ReLU())


class WordEmbedding(nn.Embedding):
    """Embed token ids as sqrt(d) E[t], so that they stand beside a positional encoding.

    Vaswani et al. 2017, § 3.4. Id 0 is padding.
    """

    def __init__(self, num_tokens: int, dim: int) -> None:
        super().__init__(num_tokens, dim, padding_idx=0)
        nn.init.normal_(self.weight, std=dim**-0.5)

    def forward(self, tokens: Int[Tensor, "*places"]) -> Float[Tensor, "*places dim"]:
        """Embed tokens; positions are added by who knows them."""
        return super().forward(tokens) * math.sqrt(self.embedding_dim)


class SourceEmbedding(nn.Module):
    """Embed token ids (PSAT-RS eq. 1); id 0 is padding."""

    def __init__(self, num_tokens: int, dim: int) -> None:
        super().__init__()
        self.dim = dim
        self.words = nn.Embedding(num_tokens, dim, padding_idx=0)
        self.layers = two_layers(dim, dim)

    def forward(self, tokens: Int[Tensor, "batch tokens"]) -> Float[Tensor, "batch tokens dim"]:
        """Embed tokens and add their positions."""
        positions = torch.arange(tokens.shape[1], device=tokens.device).float()
        return self.layers(self.words(tokens)) + sinusoidal(positions, self.dim)


class PoseEmbedding(nn.Module):
    """Embed frames by position, and by velocity when `velocity_span` is above 0.

    Args:
        num_features: Coordinates of one frame, standardised.
        dim: Size of the embedding.
        velocity_span: Frames between the two positions whose difference is the velocity; 0 = off.
        velocity_std: Standard deviation of each coordinate's velocity over the training data.
        velocity_dropout: Share of training sequences whose velocity branch is silenced.
        fusion: `concat` joins both branches by a linear layer, `sum` adds them.
    """

    velocity_std: Tensor

    def __init__(
        self,
        num_features: int,
        dim: int,
        *,
        velocity_span: int = 0,
        velocity_std: Float[Tensor, "features"] | None = None,
        velocity_dropout: float = 0.0,
        fusion: Literal["concat", "sum"] = "concat",
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.dim = dim
        self.velocity_span = velocity_span
        self.position = two_layers(num_features, dim)
        if velocity_span:
            self.velocity_dropout = velocity_dropout
            self.velocity = two_layers(num_features, dim)
            self.fuse = nn.Linear(2 * dim, dim) if fusion == "concat" else None
            std = torch.ones(num_features) if velocity_std is None else velocity_std
            self.register_buffer("velocity_std", std)

    def forward(
        self, window: Float[Tensor, "batch window features"], times: Float[Tensor, "slots"]
    ) -> Float[Tensor, "batch slots dim"]:
        """Embed the last `slots` frames of a window that begins `velocity_span` frames earlier.

        Args:
            window: Frames; before the first frame of a sequence, that frame repeated.
            times: Position of each slot in the sequence, in frames.
        """
        encoding = sinusoidal(times, self.dim)
        frames = window[:, self.velocity_span :]
        position = self.position(frames) + encoding
        if not self.velocity_span:
            return position
        difference = (frames - window[:, : -self.velocity_span]) / self.velocity_span
        scaled = (difference / self.velocity_std).clamp(-VELOCITY_LIMIT, VELOCITY_LIMIT)
        velocity = self._drop(self.velocity(scaled)) + encoding
        if self.fuse is None:
            return position + velocity
        return self.fuse(torch.cat([position, velocity], dim=-1))

    def _drop(self, velocity: Float[Tensor, "batch slots dim"]) -> Float[Tensor, "batch slots dim"]:
        if not self.training or self.velocity_dropout == 0.0:
            return velocity
        kept = torch.rand(velocity.shape[0], 1, 1, device=velocity.device) >= self.velocity_dropout
        return velocity * kept
