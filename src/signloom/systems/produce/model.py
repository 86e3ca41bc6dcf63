"""PSAT-RS assembled: text encoder, length predictor, pyramid decoder.

Post-norm (eq. 10), embeddings of eq. 1–7, relaxed masks of eq. 8 corrected, levels coarse to fine.
Frames are features of `poses.normalize`, standardised. A model with a counter has the progress
t / T behind them, one more number that it predicts and is fed (Saunders et al. 2020).
"""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from signloom.core.cache import Memory
from signloom.core.embeddings import PoseEmbedding, SourceEmbedding
from signloom.core.encoder import Encoder
from signloom.decoders.forcing import teacher_forced
from signloom.decoders.length import LengthPredictor
from signloom.decoders.pyramid import PyramidDecoder
from signloom.systems.produce.config import ProduceConfig


class ProduceModel(nn.Module):
    """Tokens in, frames out.

    Args:
        config: Size and switches.
        num_tokens: Size of the vocabulary, padding included.
        num_features: Coordinates of one frame, without the counter.
        velocity_std: Standard deviation of each coordinate's velocity, for rich semantics.
    """

    def __init__(
        self,
        config: ProduceConfig,
        num_tokens: int,
        *,
        num_features: int = 150,
        velocity_std: Float[Tensor, "features"] | None = None,
    ) -> None:
        super().__init__()
        self.config = config
        self.source = SourceEmbedding(num_tokens, config.dim)
        self.encoder = Encoder(
            config.dim,
            config.ffn_dim,
            num_layers=config.encoder_layers,
            num_heads=config.num_heads,
            dropout=config.dropout,
            norm=config.norm,
        )
        self.length = LengthPredictor(config.dim, max_frames=config.max_frames)
        embedding = PoseEmbedding(
            num_features + config.counter,
            config.dim,
            velocity_span=config.velocity_span if config.rich_semantics else 0,
            velocity_std=_beside_counter(velocity_std, config),
            velocity_dropout=config.velocity_dropout,
            fusion=config.fusion,
        )
        self.decoder = PyramidDecoder(
            embedding,
            config.plan,
            ffn_dim=config.ffn_dim,
            num_heads=config.num_heads,
            dropout=config.dropout,
            norm=config.norm,
            source_relative=config.source_relative,
            counter=config.counter,
        )

    def encode(
        self, tokens: Int[Tensor, "batch tokens"]
    ) -> tuple[Memory, Float[Tensor, "batch max_frames"]]:
        """Give the decoder's memory of the source, and the logits of its length."""
        present = tokens != 0
        states = self.encoder(self.source(tokens), present)
        return self.decoder.remember(states), self.length(states, present)

    def forward(
        self,
        tokens: Int[Tensor, "batch tokens"],
        frames: Float[Tensor, "batch frames features"],
        lengths: Int[Tensor, "batch"],
    ) -> tuple[Float[Tensor, "batch frames features"], Float[Tensor, "batch max_frames"]]:
        """Predict every frame from the frames that it may see (teacher forcing).

        Args:
            tokens: Padded source ids.
            frames: The decoder's inputs, not shifted; true frames in training.
            lengths: Frames of each row.

        Returns:
            The predicted frames, and the logits of the length.
        """
        memory, length_logits = self.encode(tokens)
        predicted = teacher_forced(
            self.decoder, frames, memory, lengths=lengths, present=tokens != 0
        )
        return predicted, length_logits

    def read_lengths(self, logits: Float[Tensor, "batch max_frames"]) -> Int[Tensor, "batch"]:
        """Turn length logits into frames; a model that counts may take as many as there can be."""
        if self.config.counter:
            return torch.full_like(logits[:, 0], self.config.max_frames, dtype=torch.int64)
        return read_lengths(logits, self.config.length)


def read_lengths(logits: Float[Tensor, "batch max_frames"], rule: str) -> Int[Tensor, "batch"]:
    """Turn length logits into frames: the rounded expectation, or the likeliest class."""
    if rule == "argmax":
        return logits.argmax(-1) + 1
    classes = torch.arange(1, logits.shape[-1] + 1, dtype=logits.dtype, device=logits.device)
    return (logits.softmax(-1) @ classes).round().long().clamp(min=1)


def with_progress(
    frames: Float[Tensor, "batch frames features"], lengths: Int[Tensor, "batch"]
) -> Float[Tensor, "batch frames counted"]:
    """Put the progress t / T behind each frame: above 0 at the first, 1 at a row's last.

    Example:
        >>> with_progress(torch.zeros(1, 2, 1), torch.tensor([2])).tolist()
        [[[0.0, 0.5], [0.0, 1.0]]]
    """
    times = torch.arange(1, frames.shape[1] + 1, dtype=frames.dtype, device=frames.device)
    progress = times / lengths[:, None]
    return torch.cat([frames, progress[..., None]], dim=-1)


def _beside_counter(
    velocity_std: Float[Tensor, "features"] | None, config: ProduceConfig
) -> Float[Tensor, "counted"] | None:
    """Let the counter's pace enter as it is."""
    if velocity_std is None or not config.counter:
        return velocity_std
    return torch.cat([velocity_std, velocity_std.new_ones(1)])
