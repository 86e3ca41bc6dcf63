"""Gaussian noise of the size of the model's own errors on the decoder's inputs (PT(GN)).

Saunders et al. 2020, § 3.3: each coordinate gets noise of a multiple of the standard deviation of
the model's teacher-forced error over the last epoch. Differs from the paper: utterances built on
the fly have no epochs, so a running mean over about a hundred steps takes their place. It begins
at no error, hence with no noise.
"""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

MOMENTUM = 0.01
"""Weight of a step in the running mean."""


class ErrorNoise(nn.Module):
    """Knows how far the model is off, and draws noise by it.

    Args:
        num_features: Numbers of one frame, a counter included.
        factor: Standard deviations of the error that the noise has; the paper's is 5.
    """

    mean: Tensor
    square: Tensor

    def __init__(self, num_features: int, *, factor: float) -> None:
        super().__init__()
        self.factor = factor
        self.register_buffer("mean", torch.zeros(num_features))
        self.register_buffer("square", torch.zeros(num_features))

    @property
    def std(self) -> Float[Tensor, "features"]:
        """Standard deviation of the error of each number of a frame."""
        return (self.square - self.mean**2).clamp(min=0).sqrt()

    def forward(
        self, frames: Float[Tensor, "batch frames features"]
    ) -> Float[Tensor, "batch frames features"]:
        """Put noise on the decoder's inputs."""
        return frames + torch.randn_like(frames) * (self.factor * self.std)

    @torch.no_grad()
    def watch(
        self,
        predicted: Float[Tensor, "batch frames features"],
        true: Float[Tensor, "batch frames features"],
        lengths: Int[Tensor, "batch"],
    ) -> None:
        """Take the errors of a step into the running mean; padding counts nothing."""
        inside = torch.arange(true.shape[1], device=true.device) < lengths[:, None]
        errors = (predicted - true)[inside]
        self.mean.lerp_(errors.mean(0), MOMENTUM)
        self.square.lerp_((errors**2).mean(0), MOMENTUM)
