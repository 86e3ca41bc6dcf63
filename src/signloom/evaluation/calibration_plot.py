"""A picture of calibration: how often tokens are right, and how good sentences, by confidence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from signloom.errors import FormatError, MissingExtraError
from signloom.evaluation.calibration import Bin, Calibration
from signloom.poses.formats.atomic import check_writable, replacing

SIZE_INCHES = (11, 6)
DPI = 150
SUFFIXES = (".png", ".svg")


def check_plot(path: Path) -> None:
    """Refuse, before any work is done, a picture that could not be drawn.

    Raises:
        MissingExtraError: matplotlib is not installed.
        FormatError: The path does not end in `.png` or `.svg`, or cannot be written to.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise FormatError(f"A plot must end in {' or '.join(SUFFIXES)}, but {path} does not.")
    check_writable(path)
    _figure()


def plot_calibration(
    calibrations: Mapping[str, Calibration], path: Path, *, quality: str = "BLEU of a sentence"
) -> None:
    """Draw tokens on the left, with their counts below, and sentences on the right.

    Args:
        calibrations: By row of a report.
        path: Where it goes, `.png` or `.svg`.
        quality: What the quality of a sentence is.

    Raises:
        MissingExtraError: matplotlib is not installed.
        FormatError: The place cannot be written to.
    """
    figure = _figure()(figsize=SIZE_INCHES, layout="constrained")
    axes = figure.subplot_mosaic("RS;CP", height_ratios=(3, 2))
    axes["R"].plot((0, 1), (0, 1), color="grey", linewidth=1, linestyle="--")
    for name, one in calibrations.items():
        label = f"{name}, off by {one.token_error:.1f} %"
        _line(axes["R"], one.tokens, label)
        sizes = [bin_.count for bin_ in one.tokens]
        axes["C"].plot([bin_.sureness for bin_ in one.tokens], sizes, marker="o", markersize=3)
        _line(axes["S"], one.sentences, f"{name}, ρ = {one.correlation:.2f}")
        _line(axes["P"], one.spreads, f"{name}, ρ = {one.spread_correlation:.2f}")
    _title(axes["R"], "confidence of a token", "share that is right")
    _title(axes["C"], "confidence of a token", "tokens")
    _title(axes["S"], "confidence of a sentence, fifths", quality)
    _title(axes["P"], "spread of the members, fifths", quality)
    for panel in "RC":
        axes[panel].set_xlim(0, 1)
    for panel in "RSP":
        if axes[panel].get_legend_handles_labels()[0]:
            axes[panel].legend(fontsize=7)
    if not any(one.spreads for one in calibrations.values()):
        axes["P"].set_axis_off()
    with replacing(path) as scratch:
        figure.savefig(scratch, format=path.suffix.lower().removeprefix("."), dpi=DPI)


def _line(axis: Any, bins: tuple[Bin, ...], label: str) -> None:
    if bins:
        axis.plot(
            [one.sureness for one in bins],
            [one.outcome for one in bins],
            marker="o",
            markersize=3,
            label=label,
        )


def _title(axis: Any, x_label: str, y_label: str) -> None:
    axis.set_xlabel(x_label)
    axis.set_ylabel(y_label)
    axis.set_ylim(bottom=0)


def _figure() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("eval", "A plot of calibration") from error
    return Figure
