"""Sinusoidal positional encoding at real-valued positions (Vaswani et al. 2017, § 3.5).

    PE(t)[2i] = sin(t / 10000^(2i / dim)),  PE(t)[2i + 1] = cos(t / 10000^(2i / dim))

Differs from the paper: sines and cosines stand in two halves instead of alternating, which is the
same encoding up to a fixed permutation; positions may be fractions, because a frame's place in its
source sentence, `t * N / L`, is one.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor


def sinusoidal(positions: Float[Tensor, "*positions"], dim: int) -> Float[Tensor, "*positions dim"]:
    """Encode positions as sines and cosines.

    Args:
        positions: Any real numbers, in steps (frames or tokens).
        dim: Size of the encoding, an even number.

    Example:
        >>> sinusoidal(torch.tensor([0.0]), 4).tolist()
        [[0.0, 0.0, 1.0, 1.0]]
    """
    half = dim // 2
    rates = torch.exp(torch.arange(half, dtype=torch.float32) * (-math.log(10000.0) / half))
    angles = positions[..., None] * rates.to(positions.device)
    return torch.cat([torch.sin(angles), torch.cos(angles)], dim=-1)
