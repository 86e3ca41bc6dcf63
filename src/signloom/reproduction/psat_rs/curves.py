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
from signloom.reproduction.psat_rs.speed import ModelSize, build_model, draw_sentence
from signloom.reproduction.psat_rs.tables import PYRAMID, name_levels
from signloom.reproduction.rows import Row
from signloom.reproduction.timing import Spread, interleave, one_thread
from signloom.search.blocks import decode

LINES = ((1, 1, 1, 1), (0, 0, 0, 0), PYRAMID)
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
class CurveConfig:
    """What the times of several decoders at one length depend on."""

    levels: tuple[tuple[int, ...], ...]
    """Levels of each decoder; all 0 = NAT."""
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
    sentence = asdict(timing)
    rows = tuple(
        _row(LINES, sentence | {"frames": frames}, model=model)
        for frames in sorted(set(sentence.pop("lengths")))
    )
    return Plan(name="figure4a", rows=rows, finish=_finish_4a)


def plan_figure_4b(request: Request) -> Plan:
    """Plan figure 4b: one row of all levels, for only what is timed in turn can be compared.

    Raises:
        ConfigError: The request does not hold.
    """
    model, timing = read_sections(request, LevelTiming)
    refuse_lengths("frames", (timing.frames,), model=model)
    row = _row(BARS, asdict(timing), model=model)
    finish = partial(_finish_4b, model, timing.frames)
    return Plan(name="figure4b", rows=(row,), finish=finish)


def measure_curve(config: CurveConfig) -> dict[str, Any]:
    """Time decoders at one length, in turn."""
    tokens, lengths = draw_sentence(config.tokens, config.frames, seed=config.seed)
    with one_thread():
        calls = {
            name_levels(levels): partial(
                decode,
                stepper_of(build_model(config.model.config(levels), config.seed)),
                tokens,
                lengths,
            )
            for levels in config.levels
        }
        spreads = interleave(calls, repeats=config.repeats)
    return {"ms": {name: asdict(spread) for name, spread in spreads.items()}}


def _row(levels: tuple[tuple[int, ...], ...], sentence: dict[str, Any], *, model: ModelSize) -> Row:
    config = CurveConfig(levels=levels, model=model, **sentence)
    return Row(name=f"{config.frames} frames", config=config, measure=measure_curve)


def _finish_4a(rows: list[dict[str, Any]]) -> Report:
    title = "PSAT-RS, figure 4a: latency against length"
    lines = {
        name_levels(levels): {row["config"]["frames"]: _spread(row, levels) for row in rows}
        for levels in LINES
    }
    grid = Grid(
        title=title,
        columns=("length", *(f"{name} ms" for name in lines)),
        lines=tuple(
            (row["name"], *(_cell(_spread(row, levels)) for levels in LINES)) for row in rows
        ),
        notes=(NOTE,),
    )
    return Report(grid=grid, draw=partial(draw_lines, lines=lines, title=title, x_label="frames"))


def _finish_4b(model: ModelSize, frames: int, rows: list[dict[str, Any]]) -> Report:
    title = f"PSAT-RS, figure 4b: latency against levels, {frames} frames"
    [row] = rows
    at = _spread(row, BARS[0])
    grid = Grid(
        title=title,
        columns=("levels", "passes", "ms", "speed-up"),
        lines=tuple(
            (
                name_levels(levels),
                str(model.config(levels).plan.passes(frames)),
                _cell(_spread(row, levels)),
                f"{at.p50 / _spread(row, levels).p50:.2f}×",
            )
            for levels in BARS
        ),
        notes=(NOTE,),
    )
    # Two lines a label: the tuple does not fit beside the kind.
    bars = {name_levels(levels).replace(" (", "\n("): _spread(row, levels) for levels in BARS}
    return Report(grid=grid, draw=partial(draw_bars, bars=bars, title=title))


def _spread(row: dict[str, Any], levels: tuple[int, ...]) -> Spread:
    return Spread(**row["result"]["ms"][name_levels(levels)])


def _cell(spread: Spread) -> str:
    return f"{spread.p50:.1f} [{spread.p10:.1f}-{spread.p90:.1f}]"
