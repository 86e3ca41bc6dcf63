"""Noise on the frames that a decoder is fed in training: it learns to mend its own errors."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional

KNOT_FRAMES = 6


def decoder_noise(
    frames: Float[Tensor, "batch frames features"], *, smooth: float, white: float
) -> Float[Tensor, "batch frames features"]:
    """Draw noise of the size of standardised frames: smooth over time, with a little white noise.

    Each sequence draws its own strengths, uniform up to the two bounds; the smooth part is linear
    between knots 6 frames apart.

    Args:
        frames: What the noise is for; only shape and type are used.
        smooth: Largest standard deviation at the knots, in standard deviations of the data.
        white: Largest standard deviation of the white part.
    """
    batch, length, features = frames.shape
    knots = torch.randn(batch, features, length // KNOT_FRAMES + 2).to(frames)
    drawn = functional.interpolate(knots, size=length, mode="linear", align_corners=True)
    strengths = torch.rand(2, batch, 1, 1).to(frames)
    noise = drawn.transpose(1, 2) * strengths[0] * smooth
    return noise + torch.randn_like(frames) * strengths[1] * white
