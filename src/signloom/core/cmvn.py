"""Normalisation of speech features (CMVN): over the training data, or over each utterance."""

from __future__ import annotations

from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

Cmvn = Literal["global", "utterance"]
"""Over what mean and variance are taken."""
LEAST_STD = 1e-2


class Normalise(nn.Module):
    """Standardise features; padding becomes 0.

    Args:
        mean: Mean of each feature over the training data.
        std: Their standard deviation, floored.
        over: `global` uses these, `utterance` each row's own.
    """

    mean: Tensor
    std: Tensor

    def __init__(
        self, mean: Float[Tensor, "features"], std: Float[Tensor, "features"], *, over: Cmvn
    ) -> None:
        super().__init__()
        self.over = over
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(
        self, frames: Float[Tensor, "batch frames features"], present: Bool[Tensor, "batch frames"]
    ) -> Float[Tensor, "batch frames features"]:
        """Standardise; `present` is True at real frames."""
        inside = present[..., None].to(frames.dtype)
        if self.over == "global":
            return (frames - self.mean) / self.std * inside
        count = inside.sum(1, keepdim=True).clamp(min=1)
        centred = (frames - (frames * inside).sum(1, keepdim=True) / count) * inside
        spread = torch.sqrt((centred**2).sum(1, keepdim=True) / count)
        return centred / spread.clamp(min=LEAST_STD)
