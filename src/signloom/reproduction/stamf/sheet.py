"""Errors of recognisers in lines, with what sets each apart from the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from signloom.evaluation.paired_errors import compare_errors
from signloom.reproduction.grid import Grid
from signloom.reproduction.plan import Report
from signloom.reproduction.stamf.scoring import read_counts

COLUMNS = (
    "recogniser",
    "read",
    "WER % [95 %]",
    "S / D / I",
    "of",
    "seen %",
    "unseen %",
    "Δ to the first [95 %], p",
)


def error_sheet(title: str, notes: Sequence[str], rows: list[dict[str, Any]]) -> Report:
    """Set every way in which every row was read in a line.

    A line is compared with the first row read in the same way, or in its only way.

    Args:
        title: What the table shows.
        notes: What a reader must know.
        rows: Documents of the rows.
    """
    lines = []
    for place, row in enumerate(rows):
        for label, scores in row["result"]["scores"].items():
            first = rows[0]["result"]["scores"]
            other = first.get(label, next(iter(first.values())))
            against = _against(other, scores) if place else ""
            lines.append((row["name"], label, *_cells(scores), against))
    steps = rows[-1]["result"]["steps"]
    parameters = rows[-1]["result"]["parameters"]
    grid = Grid(
        title=title,
        columns=COLUMNS,
        lines=tuple(lines),
        notes=(
            *notes,
            f"Unit costs; {steps} optimiser steps and {parameters:,} parameters in the last row; "
            "one seed a row; paired bootstrap of 2000 draws over clips.",
        ),
    )
    return Report(grid=grid)


def _cells(scores: Mapping[str, Any]) -> tuple[str, ...]:
    low, high = scores["interval"]
    parts = [scores[name] for name in ("substitutions", "deletions", "insertions")]
    return (
        f"{scores['wer']:.2f} [{low:.1f}-{high:.1f}]",
        " / ".join(map(str, parts)),
        f"{scores['length']} in {scores['clips']}",
        _rate(scores["seen"]),
        _rate(scores["unseen"]),
    )


def _rate(part: Mapping[str, Any]) -> str:
    return "" if part["wer"] is None else f"{part['wer']:.1f} ({part['clips']})"


def _against(first: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    if [row[3] for row in first["counts"]] != [row[3] for row in own["counts"]]:
        return "other clips"
    found = compare_errors(read_counts(dict(first)), read_counts(dict(own)))
    apart = found.difference
    return f"{apart.value:+.2f} [{apart.low:+.2f} to {apart.high:+.2f}], p {found.p_value:.4f}"
