"""How long a pyramid takes for a sentence, against the autoregressive decoder of its own depth.

Models have the paper's size and random weights: what a decoder costs does not depend on what it has
learnt. The length is given for the same reason. A time is that of a whole sentence: reading the
source, and decoding every frame.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np
import torch

from signloom.decoders.adapter import stepper_of
from signloom.decoders.uncached import uncached_stepper_of
from signloom.reproduction.timing import interleave, one_thread
from signloom.search.blocks import decode, forced_pass
from signloom.search.levels import Kind, paper_passes
from signloom.search.slots import Ids
from signloom.systems.produce.config import ProduceConfig
from signloom.systems.produce.model import ProduceModel

NUM_TOKENS = 2888
"""Words of PHOENIX-2014-T as the paper counts them, and padding."""
MAX_DIFFERENCE = 1e-5
"""Most by which decoding may differ from the teacher-forced pass on what it gave."""


@dataclass(frozen=True, kw_only=True)
class ModelSize:
    """Size of the models; the defaults are the paper's."""

    dim: int = field(default=512, metadata={"least": 2, "most": 4096})
    """Size of every state, even and a multiple of `num_heads`."""
    ffn_dim: int = field(default=2048, metadata={"least": 1, "most": 65536})
    """Hidden size of the feed-forward networks."""
    num_heads: int = field(default=8, metadata={"least": 1, "most": 4096})
    """Attention heads of each layer."""
    max_frames: int = field(default=300, metadata={"least": 12, "most": 10000})
    """Longest sequence, in frames."""
    rich_semantics: bool = False
    """Embed velocity beside position."""

    def check(self) -> None:
        """Check what a field cannot say alone.

        Raises:
            ConfigError: Two values do not go together.
        """
        self.config((1,)).check()

    def config(self, levels: tuple[int, ...], schedule: Kind = "block") -> ProduceConfig:
        """Give the configuration of a model with as many encoder as decoder layers."""
        return ProduceConfig(
            **asdict(self),
            encoder_layers=len(levels),
            levels=levels,
            schedule=schedule,
            velocity_span=1,
        )


@dataclass(frozen=True, kw_only=True)
class Timing:
    """What is decoded, and how often."""

    frames: int = field(default=116, metadata={"least": 1, "most": 10000})
    """Length of the sentence; 116 is the mean of PHOENIX-2014-T."""
    tokens: int = field(default=15, metadata={"least": 1, "most": 1000})
    """Words of the sentence."""
    repeats: int = field(default=21, metadata={"least": 1, "most": 10000})
    """Turns with cache."""
    uncached_repeats: int = field(default=5, metadata={"least": 0, "most": 10000})
    """Turns without cache; 0 leaves these times out."""
    seed: int = field(default=0, metadata={"least": 0})
    """Draws weights and words."""


@dataclass(frozen=True, kw_only=True)
class SpeedConfig:
    """What the times of one configuration depend on."""

    levels: tuple[int, ...]
    """Group size of each decoder layer, bottom first; all 0 = NAT."""
    schedule: Kind = "block"
    """How the layers are fed."""
    model: ModelSize
    """Size of the model."""
    timing: Timing
    """What is decoded."""
    version: int = 1
    """Goes up when what is measured changes."""


def measure_speed(config: SpeedConfig) -> dict[str, Any]:
    """Count passes, time decoding and check that it is exact.

    Returns:
        Passes and layer calls, times with and without cache beside those of the autoregressive
        decoder in the same turns, and the largest difference from the teacher-forced pass.

    Raises:
        RuntimeError: Decoding differs from the teacher-forced pass by more than `MAX_DIFFERENCE`.
    """
    timing, plan = config.timing, config.model.config(config.levels, config.schedule).plan
    groups = tuple(level or timing.frames for level in config.levels)
    own, baseline = build_models(config)
    tokens, lengths = draw_sentence(timing.tokens, timing.frames, seed=timing.seed)
    with one_thread():
        difference = largest_difference(own, tokens, lengths)
        calls = {
            name: partial(decode, stepper_of(model), tokens, lengths)
            for name, model in (("own", own), ("at", baseline))
        }
        uncached = {
            name: partial(decode, uncached_stepper_of(model), tokens, lengths)
            for name, model in (("own", own), ("at", baseline))
        }
        times = {
            "cached": _compare(calls, repeats=timing.repeats, same=own is baseline),
            "uncached": _compare(uncached, repeats=timing.uncached_repeats, same=own is baseline),
        }
    return {
        "passes": plan.passes(timing.frames),
        "layer_calls": plan.layer_calls(timing.frames),
        "paper_passes": round(paper_passes(groups, timing.frames), 3),
        **times,
        "largest_difference": difference,
        "torch": torch.__version__,
        "threads": 1,
    }


def build_models(config: SpeedConfig) -> tuple[ProduceModel, ProduceModel]:
    """Make a model and the autoregressive one of its depth, which may be the same."""
    ones = (1,) * len(config.levels)
    own = build_model(config.model.config(config.levels, config.schedule), config.timing.seed)
    if config.levels == ones:
        return own, own
    return own, build_model(config.model.config(ones), config.timing.seed)


def build_model(config: ProduceConfig, seed: int) -> ProduceModel:
    """Make a model with random weights, without touching the global random state."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return ProduceModel(config, NUM_TOKENS).eval()


def draw_sentence(tokens: int, frames: int, *, seed: int) -> tuple[Ids, Ids]:
    """Draw a source of one row [1, tokens], and give the length it is decoded to [1]."""
    words = np.random.default_rng(seed).integers(1, NUM_TOKENS, size=(1, tokens))
    return words.astype(np.int64), np.array([frames], dtype=np.int64)


def largest_difference(model: ProduceModel, tokens: Ids, lengths: Ids) -> float:
    """Compare decoding with the teacher-forced pass on what it gave.

    Raises:
        RuntimeError: They differ by more than `MAX_DIFFERENCE`.
    """
    stepper = stepper_of(model)
    decoded = decode(stepper, tokens, lengths)
    forced = forced_pass(stepper, tokens, lengths, frames=decoded)
    difference = float(np.abs(decoded - forced).max())
    if not difference <= MAX_DIFFERENCE:
        raise RuntimeError(
            f"Decoding with levels {model.config.levels} must equal its teacher-forced pass to "
            f"{MAX_DIFFERENCE:g}, but differs by {difference:g}."
        )
    return difference


def _compare(calls: dict[str, Any], *, repeats: int, same: bool) -> dict[str, Any] | None:
    """Time what is measured and its baseline in turn; None for no turns at all."""
    if not repeats:
        return None
    chosen = {"own": calls["own"]} if same else calls
    spreads = interleave(chosen, repeats=repeats)
    own = spreads["own"]
    at = spreads.get("at", own)
    return {
        "ms": asdict(own),
        "at_ms": asdict(at),
        "speedup": round(at.p50 / own.p50, 3),
    }
