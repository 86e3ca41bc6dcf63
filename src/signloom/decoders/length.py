"""Length predictor: a softmax over target lengths from the summed encoder states (PSAT-RS § 3.3).

Differs from the paper: the sum is divided by √N, because a plain sum grows with the sentence. The
encoder is detached: predicting lengths does not tune it.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


class LengthPredictor(nn.Module):
    """Predict how many frames a source takes; class `i` stands for `i + 1` frames."""

    def __init__(self, dim: int, *, max_frames: int) -> None:
        super().__init__()
        self.classes = nn.Linear(dim, max_frames)

    def forward(
        self, states: Float[Tensor, "batch tokens dim"], present: Bool[Tensor, "batch tokens"]
    ) -> Float[Tensor, "batch max_frames"]:
        """Give the logits of each length; `present` is True at real tokens."""
        kept = states.detach() * present[..., None]
        count = present.sum(1, keepdim=True).to(states.dtype)
        return self.classes(kept.sum(1) / torch.sqrt(count))
