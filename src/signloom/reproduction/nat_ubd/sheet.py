"""Rows of NAT-UBD set in lines: errors of every way to read, and what each takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from signloom.reproduction.grid import Grid
from signloom.reproduction.nat_ubd.scoring import reduction
from signloom.reproduction.nat_ubd.ways import CTC
from signloom.reproduction.plan import Report

Scores = Mapping[str, Any]


def error_sheet(title: str, notes: Sequence[str], rows: list[dict[str, Any]]) -> Report:
    """Set every way of every row in a line.

    Args:
        title: What the table shows.
        notes: What a reader must know.
        rows: Documents of the rows.
    """
    lines = []
    for row in rows:
        scores = row["result"]["scores"]
        splits = list(scores)
        for label in scores[splits[-1]]:
            by_split = {split: scores[split][label] for split in splits}
            lines.append((row["name"], label, *_cells(by_split, scores[splits[-1]], label)))
    last = rows[-1]["result"]
    rate = {"words": "WER", "characters": "CER"}[last["unit"]]
    splits = list(last["scores"])
    grid = Grid(
        title=title,
        columns=("model", "read", *_columns(splits, rate)),
        lines=tuple(lines),
        notes=(
            *notes,
            f"{rate} % with 95 % bootstrap intervals over utterances; CERR: share of the errors of "
            "greedy CTC that are gone. RTF: seconds a second of sound, features and encoder "
            "included, one thread, PyTorch, one by one / batched.",
            f"{last['steps']} optimiser steps and {last['parameters']:,} parameters in the last "
            "row; one seed a row.",
        ),
    )
    return Report(grid=grid)


def mending_sheet(title: str, notes: Sequence[str], rows: list[dict[str, Any]]) -> Report:
    """Set what one pass makes of replaced tokens beside the errors that remain (table 3)."""
    lines = []
    for row in rows:
        result = row["result"]
        scores, mended = result["scores"]["test"], result["mended"]
        label = next(one for one in scores if one != CTC.label)
        lines.append(
            (
                row["name"],
                f"{scores[CTC.label]['error']:.2f}",
                f"{scores[label]['error']:.2f}",
                f"{reduction(scores, label):+.1f}",
                f"{mended['mended']:.1f}",
                f"{mended['copied']:.1f}",
                f"{mended['spoiled']:.1f}",
                str(result["steps"]),
            )
        )
    grid = Grid(
        title=title,
        columns=(
            *("decoder", "greedy CTC WER %", "decoder WER %", "CERR %", "mended %"),
            *("copied %", "spoiled %", "steps"),
        ),
        lines=tuple(lines),
        notes=(
            *notes,
            f"Of {rows[0]['result']['mended']['replaced']} tokens replaced in true transcripts, "
            "how many one pass mends and how many it copies; spoiled: others that it gets wrong.",
        ),
    )
    return Report(grid=grid)


def _columns(splits: Sequence[str], rate: str) -> tuple[str, ...]:
    return (
        *(f"{rate} % {split}" for split in splits),
        *("S / D / I", "CERR %", "iterations", "cycles %", "RTF"),
    )


def _cells(by_split: Mapping[str, Scores], last: Scores, label: str) -> tuple[str, ...]:
    scores = last[label]
    errors = " / ".join(str(scores[one]) for one in ("substitutions", "deletions", "insertions"))
    gone = f"{reduction(dict(last), label):+.1f}" if CTC.label in last else ""
    refined = scores["iterations"] > 0
    rtf = f"{scores['rtf']:.4f} / {scores['rtf_batched']:.4f}" if "rtf" in scores else ""
    return (
        *map(_rate, by_split.values()),
        errors,
        gone,
        f"{scores['iterations']:.2f}" if refined else "",
        f"{scores['cycles']:.1f}" if refined else "",
        rtf,
    )


def _rate(scores: Scores) -> str:
    low, high = scores["interval"]
    return f"{scores['error']:.2f} [{low:.1f}-{high:.1f}]"


Sheet = Callable[[str, Sequence[str], list[dict[str, Any]]], Report]
