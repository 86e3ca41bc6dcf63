"""The stochastic LWTA transformer assembled: source, encoder, autoregressive decoder.

Optionally a CTC head on the encoder recognises glosses (joint training, Camgöz et al. 2020). With
`units: relu` and `weights: point` it is the conventional transformer.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from signloom.core.cache import Memory
from signloom.core.encoder import Encoder
from signloom.core.source import FeatureSource, TokenSource
from signloom.decoders.autoregressive import AutoregressiveDecoder
from signloom.systems.translate.config import TranslateConfig


class TranslateModel(nn.Module):
    """Glosses or features in, logits of words out.

    Args:
        config: Size and switches.
        num_tokens: Size of the target vocabulary.
        num_glosses: Size of the vocabulary that the CTC head recognises; 0 = no head.
        num_source: Size of the source vocabulary; 0 where the source is features.
        mean: Mean of each feature, where the source is features.
        std: Spread of each feature, floored.
    """

    def __init__(
        self,
        config: TranslateConfig,
        num_tokens: int,
        *,
        num_glosses: int = 0,
        num_source: int = 0,
        mean: Float[Tensor, "features"] | None = None,
        std: Float[Tensor, "features"] | None = None,
    ) -> None:
        super().__init__()
        self.config = config
        dense, dropout = config.dense, config.dropout
        self.source: TokenSource | FeatureSource
        if mean is None or std is None:
            self.source = TokenSource(num_source, config.dim, dropout=dropout)
        else:
            self.source = FeatureSource(
                mean,
                std,
                config.dim,
                stack=config.stack,
                stride=config.stride,
                dropout=dropout,
                dense=dense,
            )
        self.encoder = Encoder(
            config.dim,
            config.ffn_dim,
            num_layers=config.encoder_layers,
            num_heads=config.num_heads,
            dropout=dropout,
            norm=config.norm,
            dense=dense,
        )
        self.glosses = nn.Linear(config.dim, num_glosses) if num_glosses else None
        self.decoder = AutoregressiveDecoder(
            num_tokens,
            config.dim,
            ffn_dim=config.ffn_dim,
            num_layers=config.decoder_layers,
            num_heads=config.num_heads,
            dropout=dropout,
            norm=config.norm,
            dense=dense,
        )
        self.noisy_units = self.source.noisy_units + config.encoder_layers * dense.noisy_units(
            config.ffn_dim
        )
        if config.weights == "point":
            _initialise_xavier(self)

    def positions(self, length: int) -> int:
        """Count the encoder's positions of a source of `length` tokens or frames."""
        if isinstance(self.source, TokenSource):
            return length
        return -(-length // self.config.stride)

    def encode(
        self,
        source: Int[Tensor, "batch tokens"] | Float[Tensor, "batch frames features"],
        lengths: Int[Tensor, "batch"],
        noise: Float[Tensor, "batch positions units"] | None = None,
    ) -> tuple[Float[Tensor, "batch positions dim"], Bool[Tensor, "batch positions"]]:
        """Give the encoder's states, and where they are real.

        Args:
            source: Padded ids or features, not standardised.
            lengths: Tokens or frames of each row.
            noise: Gumbel noise for the encoder's competing units, in evaluation.
        """
        first, rest = None, None
        if noise is not None:
            first, rest = noise.tensor_split([self.source.noisy_units], dim=-1)
        x, present = self.source(source, lengths, first)
        return self.encoder(x, present, rest), present

    def remember(
        self,
        source: Int[Tensor, "batch tokens"] | Float[Tensor, "batch frames features"],
        lengths: Int[Tensor, "batch"],
        noise: Float[Tensor, "batch positions units"] | None = None,
    ) -> tuple[Memory, Bool[Tensor, "batch positions"]]:
        """Give the decoder's memory of a source; see `encode`."""
        states, present = self.encode(source, lengths, noise)
        return self.decoder.remember(states), present

    def forward(
        self,
        source: Int[Tensor, "batch tokens"] | Float[Tensor, "batch frames features"],
        lengths: Int[Tensor, "batch"],
        fed: Int[Tensor, "batch slots"],
    ) -> tuple[
        Float[Tensor, "batch slots words"],
        Float[Tensor, "batch positions glosses"] | None,
        Bool[Tensor, "batch positions"],
    ]:
        """Predict every token from the true ones before it (teacher forcing).

        Returns:
            Logits of the tokens; log-probabilities of the glosses, if there is a head; and which
            positions of the encoder are real.
        """
        states, present = self.encode(source, lengths)
        memory = self.decoder.remember(states)
        logits = self.decoder.teacher_forced(fed, memory, present=present)
        glosses = None if self.glosses is None else self.glosses(states).log_softmax(-1)
        return logits, glosses, present


def _initialise_xavier(model: nn.Module) -> None:
    """Begin point weights by Xavier's normal rule, as the paper does for conventional models."""
    for layer in model.modules():
        if isinstance(layer, nn.Linear):
            nn.init.xavier_normal_(layer.weight)
            if layer.bias is not None:
                torch.nn.init.zeros_(layer.bias)
