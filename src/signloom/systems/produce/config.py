"""What a production model is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from signloom.core.attention import check_heads
from signloom.errors import ConfigError
from signloom.search.levels import Schedule, schedule

MAX_LAYERS = 100


@dataclass(frozen=True, kw_only=True)
class ProduceConfig:
    """Size and switches of a PSAT-RS model; the defaults are those of the shipped packages."""

    dim: int = field(default=128, metadata={"least": 2, "most": 4096})
    """Size of every state, even and a multiple of `num_heads`."""
    ffn_dim: int = field(default=512, metadata={"least": 1, "most": 65536})
    """Hidden size of the feed-forward networks."""
    num_heads: int = field(default=4, metadata={"least": 1, "most": 4096})
    """Attention heads of each layer."""
    encoder_layers: int = field(default=3, metadata={"least": 1, "most": 100})
    """Layers of the text encoder."""
    levels: tuple[int, ...] = field(default=(8, 4, 2), metadata={"least": 0, "most": 10000})
    """Group size of each decoder layer, bottom first; all 1 = AT, all 0 = NAT."""
    schedule: Literal["block", "injected"] = "block"
    """Run all layers in each pass, or feed each layer by its own level and run it once a group."""
    counter: bool = False
    """Predict and be fed the progress t / T behind each frame, and stop at 1 (levels all 1)."""
    dropout: float = field(default=0.1, metadata={"least": 0, "most": 1})
    """Dropout probability, 0 to 1."""
    norm: Literal["post", "pre"] = "post"
    """Normalise after (PSAT-RS eq. 10) or before each sub-layer."""
    rich_semantics: bool = False
    """Embed velocity beside position (PSAT-RS eq. 2-7)."""
    velocity_span: int = field(default=3, metadata={"least": 0, "most": 100})
    """Frames over which a velocity is taken; 1 is the paper's."""
    velocity_dropout: float = field(default=0.3, metadata={"least": 0, "most": 1})
    """Share of training sequences whose velocity branch is silenced, 0 to 1."""
    fusion: Literal["concat", "sum"] = "concat"
    """How position and velocity are joined."""
    source_relative: bool = True
    """Give every query its place in the source, PE(t * N / L)."""
    max_frames: int = field(default=300, metadata={"least": 8, "most": 10000})
    """Longest sequence, in frames; the number of classes of the length predictor."""
    length: Literal["expectation", "argmax"] = "expectation"
    """How a length is read from the predictor's softmax."""

    @property
    def groups(self) -> tuple[int, ...]:
        """The levels in frames: a level of 0 is one group as long as the longest sequence."""
        return tuple(level or self.max_frames for level in self.levels)

    @property
    def plan(self) -> Schedule:
        """How the levels are fed and decoded.

        Raises:
            ConfigError: They cannot be decoded exactly.
        """
        return schedule(self.groups, kind=self.schedule, max_frames=self.max_frames)

    def check(self) -> None:
        """Check what a field cannot say alone.

        Raises:
            ConfigError: Two values do not go together.
        """
        check_heads(self.dim, self.num_heads)
        if self.rich_semantics and self.velocity_span < 1:
            raise ConfigError(
                "`model.velocity_span` must be at least 1 with `model.rich_semantics`, but is 0."
            )
        if not self.levels or len(self.levels) > MAX_LAYERS:
            raise ConfigError(
                f"`model.levels` must be 1 to {MAX_LAYERS} group sizes, but are {len(self.levels)}."
            )
        if any(self.levels) and not all(self.levels):
            raise ConfigError(
                f"`model.levels` must be all 0 or none, but are {list(self.levels)}. "
                "All 0 decodes in one pass."
            )
        if max(self.levels) > self.max_frames:
            raise ConfigError(
                f"Each of `model.levels` must be at most `model.max_frames`, {self.max_frames}, "
                f"but one is {max(self.levels)}."
            )
        try:
            _ = self.plan
        except ConfigError as error:
            raise ConfigError(f"`model.levels` do not fit: {error}") from error
        self._check_counter()

    def _check_counter(self) -> None:
        if not self.counter:
            return
        if set(self.levels) != {1}:
            raise ConfigError(
                "`model.levels` must be all 1 with `model.counter`, but are "
                f"{list(self.levels)}: a frame of a longer group would have to know where the "
                "sequence ends."
            )
        if self.source_relative:
            raise ConfigError(
                "`model.source_relative` must be false with `model.counter`, but is true: a model "
                "that counts is not told the length."
            )
