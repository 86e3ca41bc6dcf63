"""Keypoint features to token log-probabilities, for CTC.

Temporal convolutions as in STAMF's temporal module, for keypoints only, with layer normalisation
instead of batch normalisation (padding changes nothing) and one halving of the frame rate instead
of two (a fast letter lasts six frames). There is no recurrence and no attention, on purpose: one
output depends on `JudgeConfig.reach` frames, about three letters, so this judge of production
reads what is signed and cannot guess a word from its context.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.systems.judge.config import JudgeConfig


class JudgeModel(nn.Module):
    """Features of `poses.normalize` in, log-probabilities of tokens out, one for two frames.

    Args:
        config: Size.
        num_tokens: Size of the vocabulary; id 0 (padding) is the blank.
        mean: Mean of each feature over the training data.
        std: Standard deviation of each feature, floored.
    """

    mean: Tensor
    std: Tensor

    def __init__(
        self,
        config: JudgeConfig,
        num_tokens: int,
        *,
        mean: Float[Tensor, "features"],
        std: Float[Tensor, "features"],
    ) -> None:
        super().__init__()
        self.config = config
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())
        front = config.front_kernel
        self.first = nn.Conv1d(len(mean), config.dim, front, padding=front // 2)
        self.halve = nn.Conv1d(config.dim, config.dim, front, stride=2, padding=front // 2)
        self.blocks = nn.ModuleList(_Block(config) for _ in range(config.num_blocks))
        self.norm = nn.LayerNorm(config.dim)
        self.dropout = nn.Dropout(config.dropout)
        self.tokens = nn.Linear(config.dim, num_tokens)

    def forward(
        self, poses: Float[Tensor, "batch frames features"], lengths: Int[Tensor, "batch"]
    ) -> tuple[Float[Tensor, "batch steps tokens"], Int[Tensor, "batch"]]:
        """Give log-probabilities for every second frame, and how many steps each row has.

        Args:
            poses: Features, not standardised, padded with anything finite.
            lengths: Frames of each row.
        """
        positions = torch.arange(poses.shape[1], device=poses.device)
        inside = (positions[None, :] < lengths[:, None])[..., None]
        states = (poses - self.mean) / self.std * inside
        states = torch.relu(_convolve(self.first, states)) * inside
        inside = inside[:, ::2]
        states = torch.relu(_convolve(self.halve, states)) * inside
        for block in self.blocks:
            states = block(states, inside)
        logits = self.tokens(self.dropout(self.norm(states)))
        return logits.log_softmax(-1), (lengths + 1) // 2


class _Block(nn.Module):
    """`x + dropout(relu(conv(norm(x))))`, silent beyond each row's end."""

    def __init__(self, config: JudgeConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.dim)
        self.convolution = nn.Conv1d(
            config.dim, config.dim, config.kernel, padding=config.kernel // 2
        )
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        states: Float[Tensor, "batch steps dim"],
        inside: Bool[Tensor, "batch steps 1"],
    ) -> Float[Tensor, "batch steps dim"]:
        new = torch.relu(_convolve(self.convolution, self.norm(states) * inside))
        kept: Tensor = self.dropout(new)
        return (states + kept) * inside


def _convolve(layer: nn.Conv1d, states: Tensor) -> Tensor:
    result: Tensor = layer(states.transpose(1, 2)).transpose(1, 2)
    return result
