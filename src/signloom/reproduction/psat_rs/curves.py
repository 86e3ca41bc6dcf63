"""Figures 4a and 4b: latency against length and against levels."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from signloom.decoders.adapter import stepper_of
from signloom.reproduction.grid import Grid
from signloom.reproduction.plan import Plan, Report, Request
from signloom.reproduction.plots import draw_bars, draw_lines
from signloom.reproduction.psat_rs.sections import read_sections, refuse_lengths
from signloom.reproduction.psat_rs.speed import (
    ModelSize,
    SpeedConfig,
    Timing,
    build_model,
    draw_sentence,
    measure_speed,
)
from signloom.reproduction.psat_rs.tables import PYRAMID, name_of
from signloom.reproduction.rows import Row
from signloom.reproduction.timing import Spread, interleave, one_thread
from signloom.search.blocks import decode

LINES = {"AT": (1, 1, 1, 1), "NAT": (0, 0, 0, 0), "PSAT": PYRAMID}
BARS = ((1, 1, 1, 1), (2, 2, 2, 2), (4, 4, 4, 4), (8, 8, 8, 8), (8, 6, 4, 2), PYRAMID)
NOTE = (
    "Random weights, batch 1, cached, PyTorch, one thread. Medians [10 to 90 %] of whole sentences "
    "timed in turn in one process."
)


@dataclass(frozen=True, kw_only=True)
class LengthTiming:
    """What figure 4a decodes, and how often."""

    lengths: tuple[int, ...] = field(
        default=(8, 50, 100, 150, 200, 250, 300), metadata={"least": 1, "most": 10000}
    )
    """Lengths of the sentence, in frames."""
    tokens: int = field(default=15, metadata={"least": 1, "most": 1000})
    """Words of the sentence."""
    repeats: int = field(default=21, metadata={"least": 1, "most": 10000})
    """Turns."""
    seed: int = field(default=0, metadata={"least": 0})
    """Draws weights and words."""


@dataclass(frozen=True, kw_only=True)
class LevelTiming:
    """What figure 4b decodes, and how often."""

    frames: int = field(default=116, metadata={"least": 1, "most": 10000})
    """Length of the sentence; 116 is the mean of PHOENIX-2014-T."""
    tokens: int = field(default=15, metadata={"least": 1, "most": 1000})
    """Words of the sentence."""
    repeats: int = field(default=21, metadata={"least": 1, "most": 10000})
    """Turns."""
    seed: int = field(default=0, metadata={"least": 0})
    """Draws weights and words."""


@dataclass(frozen=True, kw_only=True)
class LengthConfig:
    """What the times at one length depend on."""

    frames: int
    """The length."""
    model: ModelSize
    """Size of the models."""
    tokens: int
    """Words of the sentence."""
    repeats: int
    """Turns."""
    seed: int
    """Draws weights and words."""
    version: int = 1
    """Goes up when what is measured changes."""


def plan_figure_4a(request: Request) -> Plan:
    """Plan figure 4a: one row a length.

    Raises:
        ConfigError: The request does not hold.
    """
    model, timing = read_sections(request, LengthTiming)
    refuse_lengths("lengths", timing.lengths, model=model)
    rows = tuple(
        Row(
            name=f"{frames} frames",
            config=LengthConfig(
                frames=frames,
                model=model,
                tokens=timing.tokens,
                repeats=timing.repeats,
                seed=timing.seed,
            ),
            measure=measure_length,
        )
        for frames in sorted(set(timing.lengths))
    )
    return Plan(name="figure4a", rows=rows, finish=_finish_4a)


def plan_figure_4b(request: Request) -> Plan:
    """Plan figure 4b: one row a tuple of levels.

    Raises:
        ConfigError: The request does not hold.
    """
    model, timing = read_sections(request, LevelTiming)
    refuse_lengths("frames", (timing.frames,), model=model)
    whole = Timing(**asdict(timing), uncached_repeats=0)
    configs = [SpeedConfig(levels=levels, model=model, timing=whole) for levels in BARS]
    rows = tuple(
        Row(name=name_of(config), config=config, measure=measure_speed) for config in configs
    )
    return Plan(name="figure4b", rows=rows, finish=partial(_finish_4b, timing.frames))


def measure_length(config: LengthConfig) -> dict[str, Any]:
    """Time AT, NAT and PSAT at one length, in turn."""
    tokens, lengths = draw_sentence(config.tokens, config.frames, seed=config.seed)
    models = {
        name: build_model(config.model.config(levels), config.seed)
        for name, levels in LINES.items()
    }
    with one_thread():
        calls = {
            name: partial(decode, stepper_of(model), tokens, lengths)
            for name, model in models.items()
        }
        spreads = interleave(calls, repeats=config.repeats)
    return {"ms": {name: asdict(spread) for name, spread in spreads.items()}}


def _finish_4a(rows: list[dict[str, Any]]) -> Report:
    title = "PSAT-RS, figure 4a: latency against length"
    lines = {
        name: {row["config"]["frames"]: Spread(**row["result"]["ms"][name]) for row in rows}
        for name in LINES
    }
    grid = Grid(
        title=title,
        columns=("length", *(f"{name} ms" for name in LINES)),
        lines=tuple(
            (row["name"], *(_cell(Spread(**row["result"]["ms"][name])) for name in LINES))
            for row in rows
        ),
        notes=(NOTE,),
    )
    return Report(grid=grid, draw=partial(draw_lines, lines=lines, title=title, x_label="frames"))


def _finish_4b(frames: int, rows: list[dict[str, Any]]) -> Report:
    title = f"PSAT-RS, figure 4b: latency against levels, {frames} frames"
    bars = {row["name"]: Spread(**row["result"]["cached"]["ms"]) for row in rows}
    grid = Grid(
        title=title,
        columns=("levels", "passes", "ms", "speed-up"),
        lines=tuple(
            (
                row["name"],
                str(row["result"]["passes"]),
                _cell(bars[row["name"]]),
                f"{row['result']['cached']['speedup']:.2f}×",
            )
            for row in rows
        ),
        notes=(NOTE,),
    )
    # Two lines a label: the tuple does not fit beside the kind.
    labelled = {name.replace(" (", "\n("): spread for name, spread in bars.items()}
    return Report(grid=grid, draw=partial(draw_bars, bars=labelled, title=title))


def _cell(spread: Spread) -> str:
    return f"{spread.p50:.1f} [{spread.p10:.1f}-{spread.p90:.1f}]"
