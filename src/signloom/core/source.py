"""What an encoder reads: embedded tokens, or frames stacked and put through a dense layer.

    tokens    sqrt(d) E[s_n] + PE(n)
    features  LN(act(W [x_{ns − r} … x_{ns − r + k − 1}] + b)) + PE(n),   r = (k − s) / 2

A position sees k frames, the next one begins s later. With competing units this is the LWTA
embedding of the stochastic transformer (§ 4), for which k = s = 1; stacking is ours and shortens
long recordings, as is the normalisation.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.core.dense import RELU, Dense
from signloom.core.embeddings import WordEmbedding
from signloom.core.positions import sinusoidal


class TokenSource(nn.Module):
    """Embed token ids; id 0 is padding."""

    noisy_units = 0

    def __init__(self, num_tokens: int, dim: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.dim = dim
        self.words = WordEmbedding(num_tokens, dim)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        source: Int[Tensor, "batch tokens"],
        lengths: Int[Tensor, "batch"],
        noise: Float[Tensor, "batch tokens units"] | None = None,
    ) -> tuple[Float[Tensor, "batch tokens dim"], Bool[Tensor, "batch tokens"]]:
        """Give embeddings, and where they are real."""
        places = torch.arange(source.shape[1], device=source.device)
        x = self.words(source) + sinusoidal(places.float(), self.dim)
        return self.dropout(x), places[None] < lengths[:, None]


class FeatureSource(nn.Module):
    """Standardise, stack and embed frames.

    Args:
        mean: Mean of each feature over the training data.
        std: Standard deviation of each feature, floored.
        dim: Size of the embedding.
        stack: Frames that one position sees, k.
        stride: Frames from one position to the next, s.
        dropout: Dropout probability in training.
        dense: What the layer is made of.
    """

    mean: Tensor
    std: Tensor

    def __init__(
        self,
        mean: Float[Tensor, "features"],
        std: Float[Tensor, "features"],
        dim: int,
        *,
        stack: int = 1,
        stride: int = 1,
        dropout: float = 0.0,
        dense: Dense = RELU,
    ) -> None:
        super().__init__()
        self.dim, self.stack, self.stride = dim, stack, stride
        self.noisy_units = dense.noisy_units(dim)
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())
        self.layer = dense.linear(stack * len(mean), dim)
        self.activation = dense.activation()
        self.norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        source: Float[Tensor, "batch frames features"],
        lengths: Int[Tensor, "batch"],
        noise: Float[Tensor, "batch positions units"] | None = None,
    ) -> tuple[Float[Tensor, "batch positions dim"], Bool[Tensor, "batch positions"]]:
        """Give embeddings, and where they are real: at ⌈frames / stride⌉ positions of each row."""
        frames = torch.arange(source.shape[1], device=source.device)
        inside = (frames[None] < lengths[:, None])[..., None]
        x = (source - self.mean) / self.std * inside
        places = torch.arange((source.shape[1] + self.stride - 1) // self.stride)
        places = places.to(source.device)
        before = (self.stack - self.stride) // 2
        x = nn.functional.pad(x, (0, 0, before, self.stack))
        within = torch.arange(self.stack, device=source.device)
        x = x[:, places[:, None] * self.stride + within[None]].flatten(2)
        x = Dense.activate(self.activation, self.layer(x), noise)
        x = self.norm(x) + sinusoidal(places.float(), self.dim)
        present = places[None] * self.stride < lengths[:, None]
        return self.dropout(x), present
