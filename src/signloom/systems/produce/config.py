"""What a production model is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class ProduceConfig:
    """Size and switches of a PSAT-RS model; the defaults are those of the shipped packages."""

    dim: int = 128
    """Size of every state, a multiple of twice `num_heads`."""
    ffn_dim: int = 512
    """Hidden size of the feed-forward networks."""
    num_heads: int = 4
    """Attention heads of each layer."""
    encoder_layers: int = 3
    """Layers of the text encoder."""
    levels: tuple[int, ...] = (8, 4, 2)
    """Group size of each decoder layer, bottom first; all 1 = AT, all 0 = NAT."""
    dropout: float = 0.1
    """Dropout probability, 0 to 1."""
    norm: Literal["post", "pre"] = "post"
    """Normalise after (PSAT-RS eq. 10) or before each sub-layer."""
    rich_semantics: bool = False
    """Embed velocity beside position (PSAT-RS eq. 2-7)."""
    velocity_span: int = 3
    """Frames over which a velocity is taken; 1 is the paper's."""
    velocity_dropout: float = 0.3
    """Share of training sequences whose velocity branch is silenced, 0 to 1."""
    fusion: Literal["concat", "sum"] = "concat"
    """How position and velocity are joined."""
    source_relative: bool = True
    """Give every query its place in the source, PE(t * N / L)."""
    max_frames: int = 300
    """Longest sequence, in frames; the number of classes of the length predictor."""
    length: Literal["expectation", "argmax"] = "expectation"
    """How a length is read from the predictor's softmax."""

    @property
    def groups(self) -> tuple[int, ...]:
        """The levels in frames: a level of 0 is one group as long as the longest sequence."""
        return tuple(level or self.max_frames for level in self.levels)
