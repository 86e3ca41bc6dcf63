"""Convolutions that bring frames of speech to a quarter of their rate (Dong et al. 2018).

Two 3 × 3 convolutions over time and frequency with stride 2 and ReLU, then a linear layer over
channels and what is left of the frequencies (NAT-UBD § 3.2). Padded frames are 0 before each
convolution, so that a row is the same alone and in a batch.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.core.masks import length_mask

STRIDE = 4
"""Frames of one step."""


class ConvSubsampling(nn.Module):
    """Frames in, a step for every four of them out.

    Args:
        num_features: Numbers of one frame.
        dim: Size of a step.
        channels: Filters of the convolutions.
    """

    def __init__(self, num_features: int, dim: int, *, channels: int = 256) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(
            nn.Conv2d(inner, channels, kernel_size=3, stride=2, padding=1)
            for inner in (1, channels)
        )
        self.linear = nn.Linear(channels * halved(halved(num_features)), dim)

    def forward(
        self, frames: Float[Tensor, "batch frames features"], lengths: Int[Tensor, "batch"]
    ) -> tuple[Float[Tensor, "batch steps dim"], Bool[Tensor, "batch steps"]]:
        """Give the steps, and which of them are real."""
        x = frames[:, None]
        present = _present(lengths, frames.shape[1])
        for convolution in self.convolutions:
            x = convolution(x * present[:, None, :, None]).relu()
            lengths = (lengths + 1) // 2
            present = _present(lengths, x.shape[2])
        return self.linear(x.transpose(1, 2).flatten(2)), present


def halved(count: int) -> int:
    """Count what stride 2 leaves of frames or frequencies.

    Example:
        >>> halved(5), halved(4), halved(0)
        (3, 2, 0)
    """
    return (count + 1) // 2


def _present(lengths: Int[Tensor, "batch"], count: int) -> Bool[Tensor, "batch places"]:
    return length_mask(lengths, torch.arange(count, device=lengths.device))
