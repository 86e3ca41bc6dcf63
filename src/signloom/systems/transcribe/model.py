"""NAT-UBD assembled: convolutions, encoder with CTC, refinement decoder.

    S = Encoder(Subsampling(X) + P);  CTC = log-softmax(Linear(S));  UBD = Decoder(Y, S)

With `decoder: autoregressive` it is the paper's baseline, trained jointly with CTC.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.core.cache import Memory
from signloom.core.cmvn import Normalise
from signloom.core.conformer import ConformerEncoder
from signloom.core.encoder import Encoder
from signloom.core.masks import length_mask
from signloom.core.positions import sinusoidal
from signloom.core.subsampling import STRIDE, ConvSubsampling
from signloom.decoders.autoregressive import AutoregressiveDecoder
from signloom.decoders.refinement import Guard, RefinementDecoder, SideBySide
from signloom.systems.transcribe.config import TranscribeConfig

States = Float[Tensor, "batch steps dim"]
Present = Bool[Tensor, "batch steps"]


class TranscribeModel(nn.Module):
    """Features of speech in; log-probabilities for CTC, and a decoder's logits, out.

    Args:
        config: Size and parts.
        num_tokens: Size of the vocabulary; id 0 is padding and blank.
        mean: Mean of each feature over the training data.
        std: Their standard deviation, floored.
    """

    noisy_units = 0

    def __init__(
        self,
        config: TranscribeConfig,
        num_tokens: int,
        *,
        mean: Float[Tensor, "features"],
        std: Float[Tensor, "features"],
    ) -> None:
        super().__init__()
        self.config = config
        self.normalise = Normalise(mean, std, over=config.cmvn)
        self.subsampling = ConvSubsampling(len(mean), config.dim, channels=config.channels)
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = _encoder(config)
        self.ctc = nn.Linear(config.dim, num_tokens)
        self.decoder: AutoregressiveDecoder | SideBySide
        if config.decoder == "autoregressive":
            self.decoder = AutoregressiveDecoder(
                num_tokens,
                config.dim,
                ffn_dim=config.ffn_dim,
                num_layers=config.decoder_layers,
                num_heads=config.num_heads,
                dropout=config.dropout,
                norm=config.norm,
            )
        else:
            self.decoder = SideBySide(
                *(
                    RefinementDecoder(
                        num_tokens,
                        config.dim,
                        ffn_dim=config.ffn_dim,
                        num_layers=config.decoder_layers // len(config.sights),
                        num_heads=config.num_heads,
                        guard=Guard(sight=sight, separate=config.separate),
                        dropout=config.dropout,
                        norm=config.norm,
                    )
                    for sight in config.sights
                )
            )

    def positions(self, length: int) -> int:
        """Count the encoder's steps of speech of `length` frames."""
        return -(-length // STRIDE)

    def encode(
        self, features: Float[Tensor, "batch frames features"], lengths: Int[Tensor, "batch"]
    ) -> tuple[States, Present]:
        """Give the encoder's states, and where they are real.

        Args:
            features: Padded features, not normalised.
            lengths: Frames of each row.
        """
        frames = torch.arange(features.shape[1], device=features.device)
        x = self.normalise(features, length_mask(lengths, frames))
        x, present = self.subsampling(x, lengths)
        places = torch.arange(x.shape[1], device=x.device).float()
        x = self.dropout(x + sinusoidal(places, self.config.dim))
        return self.encoder(x, present), present

    def remember(
        self,
        source: Float[Tensor, "batch frames features"],
        lengths: Int[Tensor, "batch"],
        noise: Tensor | None = None,
    ) -> tuple[Memory, Present]:
        """Give the decoder's memory of speech; see `encode`. It has no noise."""
        states, present = self.encode(source, lengths)
        return self.decoder.remember(states), present

    def read(self, states: States) -> Float[Tensor, "batch steps vocabulary"]:
        """Give the log-probabilities of CTC."""
        return self.ctc(states).log_softmax(-1)

    def decode(
        self, states: States, present: Present, tokens: Tensor, counts: Int[Tensor, "batch"]
    ) -> Float[Tensor, "readers batch slots vocabulary"]:
        """Give the decoders' logits of true transcripts.

        Args:
            states: From `encode`.
            present: Which of them are real.
            tokens: What each slot is fed, padded [batch, slots].
            counts: Slots of each row.
        """
        memory = self.decoder.remember(states)
        if isinstance(self.decoder, AutoregressiveDecoder):
            return self.decoder.teacher_forced(tokens, memory, present=present)[None]
        return self.decoder(tokens, counts, memory, present=present)


def _encoder(config: TranscribeConfig) -> nn.Module:
    if config.encoder == "conformer":
        return ConformerEncoder(
            config.dim,
            config.ffn_dim,
            num_layers=config.encoder_layers,
            num_heads=config.num_heads,
            kernel=config.kernel,
            dropout=config.dropout,
        )
    return Encoder(
        config.dim,
        config.ffn_dim,
        num_layers=config.encoder_layers,
        num_heads=config.num_heads,
        dropout=config.dropout,
        norm=config.norm,
    )
