"""What a default fingerspelling model must reach on held-out words at its own length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from signloom.evaluation.controls import CONTROL_ROWS
from signloom.evaluation.summary import Summary


@dataclass(frozen=True)
class Threshold:
    """A range, ends included, that one figure of a summary must lie in."""

    figure: str
    low: float = float("-inf")
    high: float = float("inf")

    def __str__(self) -> str:
        if self.low == self.high:
            return f"= {self.low:g}"
        ends = [f">= {self.low:g}"] if self.low > float("-inf") else []
        ends += [f"<= {self.high:g}"] if self.high < float("inf") else []
        return " and ".join(ends)


MODEL = (
    Threshold("letter_error", high=2.0),
    Threshold("doubled_exact", low=90.0),
    Threshold("arm_dtw", high=0.04),
    Threshold("hand_dtw", high=0.018),
    Threshold("motion_ratio", 0.90, 1.10),
    Threshold("last_third_motion_ratio", 0.90, 1.10),
    Threshold("jerk_ratio", high=1.2),
    Threshold("bone_ratio", 0.97, 1.03),
    Threshold("length_ratio", 0.95, 1.05),
    Threshold("length_error", high=15.0),
    Threshold("exact_passes", 1.0, 1.0),
)
CONTROLS = {
    "ground truth": (Threshold("letter_error", high=0.5),),
    "mean pose": (Threshold("letter_error", low=95.0),),
    "shuffled": (Threshold("letter_error", low=95.0),),
}


def find_failures(name: str, summary: Summary) -> list[str]:
    """Name the figures of a row that miss their threshold; rows without one never do.

    Args:
        name: Name of the row; what is no control row is a model.
        summary: Its figures.
    """
    thresholds = CONTROLS.get(name, () if name in CONTROL_ROWS else MODEL)
    return missed(summary.numbers(), thresholds)


def missed(numbers: Mapping[str, float | None], thresholds: Iterable[Threshold]) -> list[str]:
    """Name the figures that lie outside their threshold.

    Args:
        numbers: Figures by name, None for what is undefined.
        thresholds: What they must hold.
    """
    failures = []
    for threshold in thresholds:
        value = numbers[threshold.figure]
        if value is None or not threshold.low <= value <= threshold.high:
            found = "undefined" if value is None else f"{value:.4g}"
            failures.append(f"{threshold.figure} must be {threshold}, but is {found}")
    return failures
