"""What a captioner is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from signloom.core.attention import check_heads


@dataclass(frozen=True, kw_only=True)
class CaptionConfig:
    """Size and switches of SATIC; the defaults are the paper's."""

    group: int = field(default=1, metadata={"least": 1, "most": 32})
    """Words that come at once, K; 1 is the autoregressive model."""
    dim: int = field(default=512, metadata={"least": 2, "most": 4096})
    """Size of every state, even and a multiple of `num_heads`."""
    ffn_dim: int = field(default=2048, metadata={"least": 1, "most": 65536})
    """Hidden size of the feed-forward networks."""
    num_heads: int = field(default=8, metadata={"least": 1, "most": 64})
    """Attention heads of each layer."""
    encoder_layers: int = field(default=6, metadata={"least": 1, "most": 64})
    """Layers of the encoder."""
    decoder_layers: int = field(default=6, metadata={"least": 1, "most": 64})
    """Layers of the decoder."""
    dropout: float = field(default=0.1, metadata={"least": 0, "most": 1})
    """Dropout probability of both, 0 to 1."""
    feature_dropout: float = field(default=0.5, metadata={"least": 0, "most": 1})
    """Dropout probability behind the layer that embeds features, 0 to 1."""
    norm: Literal["post", "pre"] = "post"
    """Normalise after or before each sub-layer."""

    def check(self) -> None:
        """Check what a field cannot say alone.

        Raises:
            ConfigError: Two values do not go together.
        """
        check_heads(self.dim, self.num_heads)
