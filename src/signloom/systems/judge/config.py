"""What a recognition model is made of."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class JudgeConfig:
    """Size of a keypoint-only CTC recogniser; the defaults are those of the shipped judge."""

    dim: int = field(default=96, metadata={"least": 1, "most": 4096})
    """Channels of every layer, at least 1."""
    num_blocks: int = field(default=3, metadata={"least": 0, "most": 100})
    """Residual convolutions after the front, at least 0."""
    front_kernel: int = field(default=5, metadata={"least": 1, "most": 101, "odd": True})
    """Frames that each of the two front convolutions sees, odd."""
    kernel: int = field(default=5, metadata={"least": 1, "most": 101, "odd": True})
    """Steps that each residual convolution sees, odd; a step is two frames."""
    dropout: float = field(default=0.1, metadata={"least": 0, "most": 1})
    """Dropout probability, 0 to 1."""

    @property
    def reach(self) -> int:
        """Frames on which one output depends."""
        return 1 + 2 * (self.front_kernel - 1) + 2 * self.num_blocks * (self.kernel - 1)
