"""SATIC assembled: features of a picture, encoder, a decoder of K words a step.

    memory = Encoder(dropout(relu(W f + b)))        p(y | I) = Π_g Π_{j ∈ g} p(y_j | G_{<g}, I)

Differs from the paper: nothing says where a region lies (nor there), so a grid is read as a set as
well; features of a grid are its network's own, of any number.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.core.cache import Memory
from signloom.core.encoder import Encoder
from signloom.core.masks import length_mask
from signloom.decoders.autoregressive import AutoregressiveDecoder
from signloom.systems.caption.config import CaptionConfig


class CaptionModel(nn.Module):
    """Features of a picture in, logits of words out.

    Args:
        config: Size and switches.
        num_tokens: Size of the vocabulary.
        num_features: Numbers of one position of a picture.
    """

    noisy_units = 0

    def __init__(self, config: CaptionConfig, num_tokens: int, *, num_features: int) -> None:
        super().__init__()
        self.config, self.num_features = config, num_features
        self.source = nn.Sequential(
            nn.Linear(num_features, config.dim), nn.ReLU(), nn.Dropout(config.feature_dropout)
        )
        self.encoder = Encoder(
            config.dim,
            config.ffn_dim,
            num_layers=config.encoder_layers,
            num_heads=config.num_heads,
            dropout=config.dropout,
            norm=config.norm,
        )
        self.decoder = AutoregressiveDecoder(
            num_tokens,
            config.dim,
            ffn_dim=config.ffn_dim,
            num_layers=config.decoder_layers,
            num_heads=config.num_heads,
            dropout=config.dropout,
            norm=config.norm,
        )
        self.decoder.group = config.group

    def positions(self, length: int) -> int:
        """Count the encoder's positions of a picture: there are as many as it has."""
        return length

    def encode(
        self, features: Float[Tensor, "batch positions features"], lengths: Int[Tensor, "batch"]
    ) -> tuple[Float[Tensor, "batch positions dim"], Bool[Tensor, "batch positions"]]:
        """Give the encoder's states, and where they are real.

        Args:
            features: Padded features.
            lengths: Positions of each picture.
        """
        places = torch.arange(features.shape[1], device=features.device)
        present = length_mask(lengths, places)
        return self.encoder(self.source(features), present), present

    def remember(
        self,
        source: Float[Tensor, "batch positions features"],
        lengths: Int[Tensor, "batch"],
        noise: Tensor | None = None,
    ) -> tuple[Memory, Bool[Tensor, "batch positions"]]:
        """Give the decoder's memory of pictures; see `encode`. Nothing of it draws by noise."""
        states, present = self.encode(source, lengths)
        return self.decoder.remember(states), present

    def forward(
        self,
        features: Float[Tensor, "batch positions features"],
        lengths: Int[Tensor, "batch"],
        fed: Int[Tensor, "rows slots"],
        pictures: Int[Tensor, "rows"],
    ) -> Float[Tensor, "rows slots words"]:
        """Predict every word from the groups before it (teacher forcing).

        Args:
            features: Padded features.
            lengths: Positions of each picture.
            fed: Captions, shifted by a group.
            pictures: Which picture each caption is of.
        """
        memory, present = self.remember(features, lengths)
        return self.decoder.teacher_forced(fed, memory[pictures], present=present[pictures])
