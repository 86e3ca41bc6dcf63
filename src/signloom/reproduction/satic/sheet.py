"""Rows of SATIC set in lines: what captions are worth, and what they take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from signloom.reproduction.grid import Grid
from signloom.reproduction.plan import Report
from signloom.reproduction.satic.speed import REPEATS, TURN


def score_sheet(title: str, notes: Sequence[str], rows: list[dict[str, Any]]) -> Report:
    """Set every search of every row in a line.

    Args:
        title: What the table shows.
        notes: What a reader must know.
        rows: Documents of the rows.
    """
    lines = tuple(
        (row["name"], label, *_cells(scores), str(row["result"]["steps"]))
        for row in rows
        for label, scores in row["result"]["scores"].items()
    )
    words, pairs = rows[-1]["result"]["people_repeat"]
    grid = Grid(
        title=title,
        columns=(
            *("model", "search", "CIDEr-D", "BLEU-1", "BLEU-4", "ROUGE-L", "METEOR", "SPICE"),
            *("repeated word %", "repeated pair %", "words", "steps"),
        ),
        lines=lines,
        notes=(
            *notes,
            "In percent; CIDEr-D (what pycocoevalcap calls CIDEr) with its 95 % bootstrap interval "
            "over pictures. METEOR and SPICE need Java. Repeats: share of captions with a word "
            "right behind itself, and with a pair of words twice; people's captions of these "
            f"pictures {words:.1f} and {pairs:.1f} %.",
            f"{rows[-1]['result']['parameters']:,} parameters; steps of the last stage; one seed.",
        ),
    )
    return Report(grid=grid)


def speed_sheet(rows: list[dict[str, Any]]) -> Report:
    """Set the times of all models side by side."""
    groups = list(rows[0]["result"]["models"])
    lines = []
    for row in rows:
        models = row["result"]["models"]
        for what in ("decoder", "whole"):
            first = models[groups[0]][f"{what}_total_ms"]
            cells = []
            for group in groups:
                times = models[group][f"{what}_ms"]
                ratio = first / models[group][f"{what}_total_ms"]
                cells.append(f"{times['p50']:.2f} [{times['p10']:.2f}-{times['p90']:.2f}]")
                cells.append("" if group == groups[0] else f"{ratio:.2f}x")
            lines.append((row["name"], what, *cells))
    columns = [cell for group in groups for cell in (f"K = {group}, ms", "faster")]
    columns[:2] = ["AR, ms", ""]
    grid = Grid(
        title="SATIC table 5, in form: milliseconds a picture",
        columns=("", "what", *columns),
        lines=tuple(lines),
        notes=(
            f"ONNX Runtime, one thread, cached, one process; {TURN} batches by each model in turn, "
            f"medians of {REPEATS} turns; in brackets deciles over these; ratios are of sums. The "
            "decoder begins with the memory of its pictures; the whole begins with their "
            "features, whose network takes as long for every model.",
            "Steps of the longest caption of a batch: "
            + ", ".join(
                f"K = {one} {rows[0]['result']['models'][one]['steps']:.2f}" for one in groups
            )
            + ".",
        ),
    )
    return Report(grid=grid)


def _cells(scores: dict[str, Any]) -> tuple[str, ...]:
    low, high = scores["interval"]
    return (
        f"{scores['cider_d']:.2f} [{low:.1f}-{high:.1f}]",
        *(f"{scores[name]:.2f}" for name in ("bleu1", "bleu4", "rouge_l")),
        *(_available(scores[name]) for name in ("meteor", "spice")),
        f"{scores['repeated_words']:.2f}",
        f"{scores['repeated_pairs']:.2f}",
        f"{scores['words']:.2f}",
    )


def _available(value: float | None) -> str:
    return "not available" if value is None else f"{value:.2f}"
