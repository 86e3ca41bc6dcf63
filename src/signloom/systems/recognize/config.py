"""What a recognition model is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class RecognizeConfig:
    """Size of a keypoint-only CTC recogniser; the defaults are those of the shipped judge."""

    dim: int = 96
    """Channels of every layer, at least 1."""
    num_blocks: int = 3
    """Residual convolutions after the front, at least 0."""
    front_kernel: int = 5
    """Frames that each of the two front convolutions sees, odd."""
    kernel: int = 5
    """Steps that each residual convolution sees, odd; a step is two frames."""
    dropout: float = 0.1
    """Dropout probability, 0 to 1."""

    @property
    def reach(self) -> int:
        """Frames on which one output depends."""
        return 1 + 2 * (self.front_kernel - 1) + 2 * self.num_blocks * (self.kernel - 1)
