"""What a recognition model is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from signloom.core.resnet import Depth
from signloom.errors import ConfigError

Streams = Literal["keypoints", "pictures", "both"]
Points = Literal["stamf", "all", "tracks"]
Scale = Literal["clip", "shoulders"]


@dataclass(frozen=True, kw_only=True)
class RecognizeConfig:
    """Size and parts of STAMF; the defaults are the paper's where it gives them."""

    streams: Streams = "both"
    """What is read: keypoints, pictures, or both in two streams that are joined at the end."""
    points: Points = "stamf"
    """Which joints: the paper's 27, all 50, or the three of hand tracks (head and wrists)."""
    axes: int = field(default=2, metadata={"least": 2, "most": 3})
    """Coordinates of a joint: 2 as in the paper, or 3."""
    scale: Scale = "clip"
    """`clip`: positions from -1 to 1 in each clip. `shoulders`: standardised shoulder widths, each
    hand relative to its wrist."""
    embedding: Literal["cnn", "linear"] = "cnn"
    """How keypoints become a vector: by a ResNet over their matrix (the paper), or linearly."""
    embedding_dim: int = field(default=512, metadata={"least": 1, "most": 8192})
    """Size of that vector where the layer is linear."""
    keypoint_depth: Depth = 50
    """Layers of the ResNet over keypoints."""
    keypoint_width: int = field(default=64, metadata={"least": 1, "most": 256})
    """Channels of its first stage."""
    picture_depth: Depth = 50
    """Layers of the ResNet over pictures."""
    # Below 7 channels oneDNN's gradient of a strided 1 x 1 convolution writes beyond its end.
    picture_width: int = field(default=64, metadata={"least": 8, "most": 256})
    """Channels of its first stage."""
    picture_px: int = field(default=224, metadata={"least": 32, "most": 1024})
    """Side of the square pictures that the model reads."""
    keypoint_dim: int = field(default=512, metadata={"least": 1, "most": 8192})
    """Size of the steps of the keypoint stream."""
    picture_dim: int = field(default=1024, metadata={"least": 1, "most": 8192})
    """Size of the steps of the picture stream."""
    kernel: int = field(default=5, metadata={"least": 1, "most": 101, "odd": True})
    """Frames that a convolution over time sees, odd."""
    pools: tuple[int, ...] = (2, 2)
    """What each temporal stage divides the frame rate by; two stages of 2 in the paper."""
    spatial_attention: bool = True
    """Attend over time at the end of the spatial module."""
    early_attention: bool = True
    """Attend over time after the first temporal stage."""
    late_attention: bool = True
    """Attend over time after the last temporal stage."""
    spatial_heads: int = field(default=2, metadata={"least": 1, "most": 64})
    """Heads of the attention in the spatial module."""
    temporal_heads: int = field(default=4, metadata={"least": 1, "most": 64})
    """Heads of the attention in the temporal module."""
    dropout: float = field(default=0.3, metadata={"least": 0, "most": 0.95})
    """Dropout probability of attention and before the LSTM."""
    lstm_dim: int = field(default=1024, metadata={"least": 2, "most": 8192})
    """Size of the bidirectional LSTM, half of it a direction."""
    lstm_layers: int = field(default=2, metadata={"least": 1, "most": 8})
    """Layers of the LSTM."""
    auxiliary: bool = False
    """Add a classifier on the temporal features, for the auxiliary losses."""

    @property
    def stride(self) -> int:
        """Frames of one step."""
        return math.prod(self.pools)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the arrays that are read, beside lengths and language."""
        keypoints = () if self.streams == "pictures" else ("poses", "confidence")
        return keypoints + (() if self.streams == "keypoints" else ("pictures",))

    def check(self) -> None:
        """Refuse sizes that do not go together.

        Raises:
            ConfigError: They do not.
        """
        if not self.pools or len(self.pools) > 4 or not all(1 <= pool <= 4 for pool in self.pools):
            raise ConfigError(
                f"`model.pools` must be 1 to 4 numbers from 1 to 4, but is {list(self.pools)}."
            )
        if self.early_attention and self.late_attention and len(self.pools) < 2:
            raise ConfigError(
                "`model.pools` must have 2 stages or more for attention both early and late, but "
                "has 1. Switch one of the two off."
            )
        if self.lstm_dim % 2:
            raise ConfigError(f"`model.lstm_dim` must be even, but is {self.lstm_dim}.")
        for name, dim, heads in self._attended():
            if dim % heads:
                raise ConfigError(
                    f"`model.{name}` must be divisible by its attention's {heads} heads, but is "
                    f"{dim}."
                )

    def _attended(self) -> list[tuple[str, int, int]]:
        """List sizes that attention divides among heads."""
        sizes: list[tuple[str, int, int]] = []
        if self.early_attention or self.late_attention:
            if self.streams != "pictures":
                sizes.append(("keypoint_dim", self.keypoint_dim, self.temporal_heads))
            if self.streams != "keypoints":
                sizes.append(("picture_dim", self.picture_dim, self.temporal_heads))
        if self.spatial_attention and self.streams != "pictures" and self.embedding == "linear":
            sizes.append(("embedding_dim", self.embedding_dim, self.spatial_heads))
        return sizes
