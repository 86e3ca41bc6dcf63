"""What a transcription model is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from signloom.core.attention import check_heads
from signloom.core.cmvn import Cmvn
from signloom.core.masks import Sight
from signloom.errors import ConfigError

Decoder = Literal["unified", "left_to_right", "right_to_left", "both", "autoregressive"]


@dataclass(frozen=True, kw_only=True)
class TranscribeConfig:
    """Size and parts of NAT-UBD; the defaults are the paper's."""

    dim: int = field(default=256, metadata={"least": 2, "most": 4096})
    """Size of every state, even and a multiple of `num_heads`."""
    ffn_dim: int = field(default=2048, metadata={"least": 1, "most": 65536})
    """Hidden size of the feed-forward networks."""
    num_heads: int = field(default=4, metadata={"least": 1, "most": 64})
    """Attention heads of each layer."""
    encoder: Literal["transformer", "conformer"] = "transformer"
    """What the encoder is made of."""
    encoder_layers: int = field(default=12, metadata={"least": 1, "most": 64})
    """Layers of the encoder."""
    kernel: int = field(default=15, metadata={"least": 1, "most": 101, "odd": True})
    """Steps that a Conformer's convolution sees, odd."""
    channels: int = field(default=256, metadata={"least": 1, "most": 4096})
    """Filters of the convolutions that bring frames to a quarter of their rate."""
    decoder: Decoder = "unified"
    """All tokens at once from the others; those before; those after; one decoder for each side,
    with half the layers; or the autoregressive baseline."""
    decoder_layers: int = field(default=6, metadata={"least": 1, "most": 64})
    """Layers of the decoder."""
    separate: bool = True
    """Keep the queries apart from the tokens (Q̂K̂V̂); without it the decoder is vanilla."""
    self_mask: bool = True
    """Hide each token from itself; without it only padding is hidden."""
    cmvn: Cmvn = "global"
    """What features are normalised over."""
    dropout: float = field(default=0.1, metadata={"least": 0, "most": 1})
    """Dropout probability, 0 to 1."""
    norm: Literal["post", "pre"] = "pre"
    """Normalise after or before each sub-layer."""

    @property
    def sights(self) -> tuple[Sight, ...]:
        """What the tokens of each refinement decoder see; none where it is autoregressive."""
        if self.decoder == "autoregressive":
            return ()
        if not self.self_mask:
            return ("padding",)
        return ("left_to_right", "right_to_left") if self.decoder == "both" else (self.decoder,)

    def check(self) -> None:
        """Check what a field cannot say alone.

        Raises:
            ConfigError: Two values do not go together.
        """
        check_heads(self.dim, self.num_heads)
        if not self.self_mask and self.decoder != "unified":
            raise ConfigError(
                "`model.decoder` must be unified where `model.self_mask` is false, but is "
                f"{self.decoder}: its mask is what tells them apart."
            )
        if self.decoder == "both" and self.decoder_layers % 2:
            raise ConfigError(
                "`model.decoder_layers` must be even where two decoders share them, but is "
                f"{self.decoder_layers}."
            )
