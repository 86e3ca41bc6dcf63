"""Plots: times as lines over a number or a bar a name, with deciles around them; curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from signloom.errors import MissingExtraError
from signloom.reproduction.timing import Spread

SIZE_INCHES = (7, 4.5)
DPI = 150


def draw_lines(
    path: Path, lines: Mapping[str, Mapping[int, Spread]], *, title: str, x_label: str
) -> None:
    """Draw one line a name as a PNG.

    Args:
        path: Where it goes.
        lines: Times by name and place.
        title: What it shows.
        x_label: What the places are.
    """
    figure = _figure()(figsize=SIZE_INCHES, layout="constrained")
    axis = figure.subplots()
    for name, points in lines.items():
        spreads = list(points.values())
        axis.errorbar(
            list(points),
            [spread.p50 for spread in spreads],
            yerr=_deviations(spreads),
            marker="o",
            markersize=3,
            capsize=2,
            label=name,
        )
    axis.set_xlabel(x_label)
    axis.set_ylim(bottom=0)
    axis.legend()
    _save(figure, axis, path, title=title)


def draw_bars(path: Path, bars: Mapping[str, Spread], *, title: str) -> None:
    """Draw one bar a name as a PNG."""
    figure = _figure()(figsize=SIZE_INCHES, layout="constrained")
    axis = figure.subplots()
    spreads = list(bars.values())
    axis.bar(
        list(bars),
        [spread.p50 for spread in spreads],
        yerr=_deviations(spreads),
        capsize=3,
    )
    axis.tick_params(axis="x", labelsize=8)
    _save(figure, axis, path, title=title)


def draw_curves(
    path: Path,
    curves: Mapping[str, Sequence[tuple[int, float]]],
    *,
    title: str,
    y_label: str,
) -> None:
    """Draw one curve a name over optimiser steps as a PNG."""
    figure = _figure()(figsize=SIZE_INCHES, layout="constrained")
    axis = figure.subplots()
    for name, points in curves.items():
        axis.plot(*zip(*points, strict=True), marker="o", markersize=3, label=name)
    axis.set_xlabel("optimiser steps")
    axis.legend()
    _save(figure, axis, path, title=title, y_label=y_label)


def _deviations(spreads: list[Spread]) -> list[list[float]]:
    """Give how far the deciles lie below and above the medians."""
    below = [spread.p50 - spread.p10 for spread in spreads]
    return [below, [spread.p90 - spread.p50 for spread in spreads]]


def _save(
    figure: Any, axis: Any, path: Path, *, title: str, y_label: str = "milliseconds a sentence"
) -> None:
    axis.set_ylabel(y_label)
    axis.set_title(title)
    figure.savefig(path, format="png", dpi=DPI)


def _figure() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("eval", "A figure") from error
    return Figure
