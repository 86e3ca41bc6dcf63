"""Learning curves of cross-entropy with and without weight initialisation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from signloom.reproduction.grid import Grid
from signloom.reproduction.plan import Plan, Report, Request
from signloom.reproduction.plots import draw_curves
from signloom.reproduction.rows import Row
from signloom.reproduction.satic.study import Study
from signloom.reproduction.studies import read_study
from signloom.reproduction.trained import Trial
from signloom.training.callbacks import CURVE, read_curve

MEASURES = ("dev/cider_d", "dev/loss")


@dataclass(frozen=True, kw_only=True)
class Learning:
    """A row: a training whose curve is drawn."""

    trial: Trial


def plan_curves(request: Request) -> Plan:
    """Plan the curves of the ablated K."""
    study = read_study(request, Study)
    trials = {
        f"K = {study.ablated}, {name}": study.cross_entropy(study.ablated, begun=begun)
        for name, begun in (("begun with AR", True), ("from the beginning", False))
    }
    rows = tuple(
        Row(
            name=name,
            config=Learning(trial=trial),
            measure=partial(measure_curve, folder=request.folder),
        )
        for name, trial in trials.items()
    )
    return Plan(name="curves", rows=rows, finish=_finish)


def measure_curve(config: Learning, *, folder: Path) -> dict[str, Any]:
    """Train what is not there and read its validations."""
    curve = read_curve(config.trial.checkpoint(folder).parent / CURVE)
    return {
        "validations": [
            {"step": row["step"] + 1, **{name: row[name] for name in MEASURES}}
            for row in curve
            if all(name in row for name in MEASURES)
        ]
    }


def _finish(rows: list[dict[str, Any]]) -> Report:
    lines = tuple(
        (row["name"], str(one["step"]), *(f"{one[name]:.2f}" for name in MEASURES))
        for row in rows
        for one in row["result"]["validations"]
    )
    curves = {row["name"]: _points(row["result"]["validations"]) for row in rows}
    title = "SATIC: learning with and without weight initialisation"
    grid = Grid(
        title=title,
        columns=("model", "step", "dev CIDEr-D %, greedy", "dev cross-entropy of people's words"),
        lines=lines,
        notes=("Flickr8k; both learn the AR model's captions.",),
    )
    draw = partial(draw_curves, curves=curves, title=title, y_label="dev CIDEr-D %, greedy")
    return Report(grid=grid, draw=lambda path: draw(path))


def _points(validations: Sequence[Mapping[str, Any]]) -> list[tuple[int, float]]:
    return [(int(one["step"]), float(one[MEASURES[0]])) for one in validations]
