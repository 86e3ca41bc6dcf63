"""STAMF: spatial, temporal and sequence module, to log-probabilities for CTC.

    stream     spatial → [attention] → conv, pool → [early attention] → conv, pool → [late …]
    sequence   streams joined → BiLSTM → linear → log-softmax          (STAMF figures 1, 5 and 7)

Differs from the paper: padding is masked everywhere, and attention runs over time (a published
tree of this model attends over the batch).
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.core.masks import length_mask
from signloom.core.recurrent import BiLSTM
from signloom.core.temporal import TemporalModule, TimeAttention
from signloom.systems.recognize.config import RecognizeConfig
from signloom.systems.recognize.streams import KeypointSource, PictureSource

Steps = Float[Tensor, "batch steps dim"]
Logits = Float[Tensor, "batch steps tokens"]


class RecognizeModel(nn.Module):
    """Clips in, log-probabilities of tokens out, one for `config.stride` frames.

    Args:
        config: Size and parts.
        num_tokens: Size of the vocabulary; id 0 (padding) is the blank.
        mean: Mean of each of the 150 features over the training data.
        std: Their standard deviation, floored.
        num_languages: With 2 or more the model is told which of them a clip is in.
    """

    def __init__(
        self,
        config: RecognizeConfig,
        num_tokens: int,
        *,
        mean: Float[Tensor, "features"],
        std: Float[Tensor, "features"],
        num_languages: int = 1,
    ) -> None:
        super().__init__()
        self.config = config
        self.num_languages = num_languages
        self.streams = nn.ModuleDict()
        if config.streams != "pictures":
            source = KeypointSource(config, mean=mean, std=std)
            self.streams["keypoints"] = _Stream(config, source, source.dim, dim=config.keypoint_dim)
        if config.streams != "keypoints":
            network = PictureSource(config)
            self.streams["pictures"] = _Stream(config, network, network.dim, dim=config.picture_dim)
        dims = {"keypoints": config.keypoint_dim, "pictures": config.picture_dim}
        dim = sum(dims[name] for name in self.streams)
        self.languages = nn.Embedding(num_languages, dim) if num_languages > 1 else None
        self.dropout = nn.Dropout(config.dropout)
        self.sequence = BiLSTM(
            dim, config.lstm_dim, num_layers=config.lstm_layers, dropout=config.dropout
        )
        self.tokens = nn.Linear(config.lstm_dim, num_tokens)
        self.visual_tokens = nn.Linear(dim, num_tokens) if config.auxiliary else None

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of what `forward` takes beside the lengths."""
        return self.config.inputs + (("language",) if self.languages is not None else ())

    def forward(
        self, clips: Mapping[str, Tensor], lengths: Int[Tensor, "batch"]
    ) -> tuple[Logits, Int[Tensor, "batch"]]:
        """Give log-probabilities, and how many steps each clip has.

        Args:
            clips: The arrays of `inputs`: poses [batch, frames, 150] as `poses.normalize` makes
                them, confidence [batch, frames, 50], pictures uint8 [batch, frames, height, width,
                3], language [batch]; padded with anything finite.
            lengths: Frames of each clip.
        """
        steps, present = self.steps(clips, lengths)
        counts = present.sum(1)
        return self.read(steps, counts).log_softmax(-1), counts

    def steps(
        self, clips: Mapping[str, Tensor], lengths: Int[Tensor, "batch"]
    ) -> tuple[Steps, Bool[Tensor, "batch steps"]]:
        """Give what the temporal modules make of the streams, joined, and which steps are real."""
        num_frames = clips[self.config.inputs[0]].shape[1]
        frames = length_mask(lengths, torch.arange(num_frames, device=lengths.device))
        read = {"keypoints": ("poses", "confidence"), "pictures": ("pictures",)}
        parts = []
        for name, stream in self.streams.items():
            part, present = stream([clips[one] for one in read[name]], frames)
            parts.append(part)
        steps = torch.cat(parts, dim=-1)
        if self.languages is not None:
            steps = steps + self.languages(clips["language"])[:, None]
        return steps, present

    def read(self, steps: Steps, counts: Int[Tensor, "batch"]) -> Logits:
        """Give logits of the tokens by the sequence module."""
        return self.tokens(self.dropout(self.sequence(self.dropout(steps), counts)))


class _Stream(nn.Module):
    """One stream: its spatial module, attention where it is wanted, and its temporal module."""

    def __init__(
        self, config: RecognizeConfig, source: nn.Module, source_dim: int, *, dim: int
    ) -> None:
        super().__init__()
        self.source = source
        self.attention = (
            TimeAttention(source_dim, config.spatial_heads, dropout=config.dropout)
            if config.spatial_attention
            else None
        )
        placed = [False] * len(config.pools)
        placed[-1] = config.late_attention
        placed[0] = placed[0] or config.early_attention
        self.temporal = TemporalModule(
            source_dim,
            dim,
            kernel=config.kernel,
            pools=config.pools,
            attention=placed,
            num_heads=config.temporal_heads,
            dropout=config.dropout,
        )

    def forward(
        self, arrays: list[Tensor], present: Bool[Tensor, "batch frames"]
    ) -> tuple[Steps, Bool[Tensor, "batch steps"]]:
        x = self.source(*arrays, present)
        if self.attention is not None:
            x = self.attention(x, present)
        return self.temporal(x, present)
