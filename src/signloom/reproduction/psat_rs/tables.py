"""Tables 1 and 3: the paper's configurations, our times and exactness beside its columns."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from signloom.reproduction.grid import Grid
from signloom.reproduction.plan import Plan, Report, Request
from signloom.reproduction.psat_rs.published import COMPLEXITY, TABLE_1, TABLE_3
from signloom.reproduction.psat_rs.sections import read_sections, refuse_lengths
from signloom.reproduction.psat_rs.speed import ModelSize, SpeedConfig, Timing, measure_speed
from signloom.reproduction.rows import Row
from signloom.search.levels import Kind

PYRAMID = (8, 4, 2, 1)
TABLE_3_ROWS: tuple[tuple[str, tuple[int, ...], Kind], ...] = (
    ("AT", (1, 1, 1, 1), "block"),
    ("NAT", (0, 0, 0, 0), "block"),
    ("PSAT", PYRAMID, "block"),
    ("PSAT", PYRAMID, "injected"),
)
OUR_COLUMNS = (
    "passes",
    "layer calls",
    "cached ms",
    "speed-up",
    "uncached ms",
    "speed-up",
    "largest difference",
)


def plan_table_1(request: Request) -> Plan:
    """Plan table 1: eight configurations of 2 and 4 layers.

    Raises:
        ConfigError: The request does not hold.
    """
    model, timing = read_sections(request, Timing)
    refuse_lengths("frames", (timing.frames,), model=model)
    configs = [SpeedConfig(levels=levels, model=model, timing=timing) for levels in TABLE_1]
    return Plan(name="table1", rows=_rows(configs), finish=partial(_finish_table_1, model, timing))


def plan_table_3(request: Request) -> Plan:
    """Plan table 3: AT, NAT and PSAT by both schedules.

    Raises:
        ConfigError: The request does not hold.
    """
    model, timing = read_sections(request, Timing)
    refuse_lengths("frames", (timing.frames,), model=model)
    configs = [
        SpeedConfig(levels=levels, schedule=schedule, model=model, timing=timing)
        for _, levels, schedule in TABLE_3_ROWS
    ]
    return Plan(name="table3", rows=_rows(configs), finish=partial(_finish_table_3, model, timing))


def name_levels(levels: tuple[int, ...], schedule: Kind = "block") -> str:
    """Name a configuration.

    Example:
        >>> name_levels((8, 4, 2, 1), "injected"), name_levels((1, 1)), name_levels((0, 0))
        ('PSAT (8, 4, 2, 1) injected', 'AT (1, 1)', 'NAT')
    """
    if not any(levels):
        return "NAT"
    kind = "AT" if set(levels) == {1} else "PSAT"
    fed = " injected" if schedule == "injected" else ""
    return f"{kind} ({', '.join(map(str, levels))}){fed}"


def _rows(configs: list[SpeedConfig]) -> tuple[Row, ...]:
    return tuple(
        Row(
            name=name_levels(config.levels, config.schedule),
            config=config,
            measure=measure_speed,
        )
        for config in configs
    )


def notes_of(model: ModelSize, timing: Timing) -> tuple[str, ...]:
    """Say how our columns were measured and what the paper's are."""
    return (
        f"Ours: dim {model.dim}, FFN {model.ffn_dim}, {model.num_heads} heads, as many encoder as "
        f"decoder layers, random weights; {timing.tokens} tokens to {timing.frames} frames, batch "
        "1, PyTorch, one thread. Medians [10 to 90 %] of whole sentences, in turn with AT of the "
        "same depth in one process; a speed-up is the ratio of their medians.",
        "Uncached: the whole prefix is run again at each pass. Largest difference: decoding from "
        "the teacher-forced pass on what it gave.",
        "Paper: its own figures, an RTX 3060 and a back-translation model that is not published. "
        "They compare among themselves, not with ours. It counts L·N/Σd passes, which no exact "
        "schedule takes.",
    )


def _finish_table_1(model: ModelSize, timing: Timing, rows: list[dict[str, Any]]) -> Report:
    lines, paper = [], {}
    for row, (scores, latency) in zip(rows, TABLE_1.values(), strict=True):
        result = row["result"]
        lines.append(
            (
                row["name"],
                *_our_cells(result),
                f"{result['paper_passes']:.1f}",
                f"{scores.bleu4:.2f}",
                f"{scores.bleu1:.2f}",
                f"{scores.rouge:.2f}",
                *_latency_cells(latency.ms, latency.speedup),
            )
        )
        paper[row["name"]] = asdict(scores) | asdict(latency)
    titles = ("passes L·N/Σd", "BLEU-4", "BLEU-1", "ROUGE", "ms", "speed-up")
    grid = Grid(
        title=f"PSAT-RS, table 1: levels, L = {timing.frames}",
        columns=("approach", *OUR_COLUMNS, *(f"paper: {title}" for title in titles)),
        lines=tuple(lines),
        notes=notes_of(model, timing),
    )
    return Report(grid=grid, facts={"paper": paper})


def _finish_table_3(model: ModelSize, timing: Timing, rows: list[dict[str, Any]]) -> Report:
    lines, paper = [], {}
    for row, (approach, _, schedule) in zip(rows, TABLE_3_ROWS, strict=True):
        latency = TABLE_3[approach]
        cells = _latency_cells(latency.ms, latency.speedup)
        # The paper has one pyramid; it stands beside the schedule that is our default.
        published = ("", "", "") if schedule == "injected" else (COMPLEXITY[approach], *cells)
        lines.append((row["name"], *_our_cells(row["result"]), *published))
        if schedule == "block":
            paper[row["name"]] = {"complexity": COMPLEXITY[approach]} | asdict(latency)
    titles = ("complexity", "ms", "speed-up")
    grid = Grid(
        title=f"PSAT-RS, table 3: AT, NAT and PSAT, L = {timing.frames}",
        columns=("approach", *OUR_COLUMNS, *(f"paper: {title}" for title in titles)),
        lines=tuple(lines),
        notes=notes_of(model, timing),
    )
    return Report(grid=grid, facts={"paper": paper})


def _our_cells(result: dict[str, Any]) -> tuple[str, ...]:
    return (
        str(result["passes"]),
        str(result["layer_calls"]),
        *_time_cells(result["cached"]),
        *_time_cells(result["uncached"]),
        f"{result['largest_difference']:.1e}",
    )


def _time_cells(times: dict[str, Any] | None) -> tuple[str, str]:
    if times is None:
        return "-", "-"
    low, middle, high = (times["ms"][key] for key in ("p10", "p50", "p90"))
    return f"{middle:.1f} [{low:.1f}-{high:.1f}]", f"{times['speedup']:.2f}×"


def _latency_cells(ms: float, speedup: float) -> tuple[str, str]:
    return f"{ms:g}", f"{speedup:g}×"
