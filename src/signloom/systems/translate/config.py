"""What a translation model is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from signloom.core.attention import check_heads
from signloom.core.dense import Dense
from signloom.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class TranslateConfig:
    """Size and switches of a stochastic LWTA transformer; the defaults are the paper's."""

    dim: int = field(default=512, metadata={"least": 2, "most": 4096})
    """Size of every state, even and a multiple of `num_heads` (and of `block`)."""
    ffn_dim: int = field(default=2048, metadata={"least": 1, "most": 65536})
    """Hidden size of the feed-forward networks, a multiple of `block`."""
    num_heads: int = field(default=8, metadata={"least": 1, "most": 64})
    """Attention heads of each layer."""
    encoder_layers: int = field(default=2, metadata={"least": 1, "most": 64})
    """Layers of the encoder."""
    decoder_layers: int = field(default=2, metadata={"least": 1, "most": 64})
    """Layers of the decoder."""
    dropout: float = field(default=0.2, metadata={"least": 0, "most": 1})
    """Dropout probability, 0 to 1."""
    norm: Literal["post", "pre"] = "pre"
    """Normalise after or before each sub-layer."""
    units: Literal["relu", "lwta"] = "lwta"
    """Hidden units: ReLU, or linear units that compete in blocks."""
    weights: Literal["point", "bayesian"] = "bayesian"
    """Weights of projections and dense layers: numbers, or Gaussian posteriors."""
    block: int = field(default=4, metadata={"least": 2, "most": 64})
    """Units of a competing block, U."""
    temperature: float = field(default=1.69, metadata={"above": 0, "most": 100})
    """Temperature of the Gumbel-softmax in training."""
    initial_spread: float = field(default=0.025, metadata={"above": 0, "most": 1})
    """Standard deviation of Gaussian weights at the start."""
    stack: int = field(default=1, metadata={"least": 1, "most": 100})
    """Frames that one position of the encoder sees at once."""
    stride: int = field(default=1, metadata={"least": 1, "most": 100})
    """Frames from one position to the next."""

    @property
    def dense(self) -> Dense:
        """What dense layers are made of."""
        return Dense(
            units=self.units,
            weights=self.weights,
            block=self.block,
            temperature=self.temperature,
            initial_spread=self.initial_spread,
        )

    def check(self) -> None:
        """Check what a field cannot say alone.

        Raises:
            ConfigError: Two values do not go together.
        """
        check_heads(self.dim, self.num_heads)
        for name, width in (("dim", self.dim), ("ffn_dim", self.ffn_dim)):
            if self.units == "lwta" and width % self.block:
                raise ConfigError(
                    f"`model.{name}` must be a multiple of `model.block`, {self.block}, "
                    f"but is {width}."
                )
        if self.stack < self.stride:
            raise ConfigError(
                f"`model.stack` must be at least `model.stride`, {self.stride}, "
                f"but is {self.stack}: frames would be passed over."
            )
