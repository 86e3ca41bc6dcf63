"""The tables of SATIC, in form: numbers are the paper's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from signloom.reproduction.plan import Plan, Planner, Report, Request
from signloom.reproduction.rows import Row
from signloom.reproduction.satic.scoring import Captioned, Search, measure
from signloom.reproduction.satic.sheet import score_sheet, speed_sheet
from signloom.reproduction.satic.speed import Timing, measure_speed
from signloom.reproduction.satic.study import Study
from signloom.reproduction.studies import read_study
from signloom.reproduction.trained import Trial

DATA = (
    "Flickr8k, official split, 1,000 test pictures, EfficientNet-Lite0 grid features; K > 1 begins "
    "with the AR model's weights and learns its captions unless a row says otherwise."
)
WAYS = {
    "neither": {"begun": False, "taught": False},
    "weight initialisation": {"begun": True, "taught": False},
    "distillation": {"begun": False, "taught": True},
    "both": {"begun": True, "taught": True},
}
"""Table 4: how a model of K words a step may begin, and what it may learn."""


def plan_1(request: Request) -> Plan:
    """Plan all models after both stages, greedy and by beam search (table 1)."""
    study = read_study(request, Study)
    searches = (
        *(Search(beam=beam) for beam in (1, study.beam)),
        *(Search(beam=beam, suppress=False) for beam in (1, study.beam)),
    )
    rows = {
        "AR, cross-entropy": _row(study.cross_entropy(1), searches[:2]),
        "AR": _row(study.self_critical(1), searches[:2]),
    }
    for group in study.groups:
        rows[f"K = {group}"] = _row(study.self_critical(group), searches)
    return _plan(request, "table1", rows, title="SATIC table 1, in form", notes=(DATA,))


def plan_3(request: Request) -> Plan:
    """Plan beam widths after cross-entropy, with and without initialisation and distillation."""
    study = read_study(request, Study)
    searches = tuple(Search(beam=beam) for beam in study.beams)
    rows = {"AR": _row(study.cross_entropy(1), searches)}
    for group in study.groups:
        rows[f"K = {group}"] = _row(study.cross_entropy(group), searches)
    bare = study.cross_entropy(study.ablated, begun=False, taught=False)
    rows[f"K = {study.ablated}, neither"] = _row(bare, searches)
    title = "SATIC table 3, in form: beam width after cross-entropy"
    return _plan(request, "table3", rows, title=title, notes=(DATA,))


def plan_4(request: Request) -> Plan:
    """Plan weight initialisation and distillation, all four ways after both stages (table 4)."""
    study = read_study(request, Study)
    searches = tuple(Search(beam=beam) for beam in (1, study.beam))
    stages = {"cross-entropy": study.cross_entropy, "self-critical": study.self_critical}
    rows = {
        f"{stage}, {name}": _row(train(study.ablated, **way), searches)
        for stage, train in stages.items()
        for name, way in WAYS.items()
        if name in study.ways
    }
    title = f"SATIC table 4, in form: K = {study.ablated}"
    return _plan(request, "table4", rows, title=title, notes=(DATA,))


def plan_5(request: Request) -> Plan:
    """Plan times by pictures at once, greedy and by beam search (table 5)."""
    study = read_study(request, Study)
    trials = tuple((group, study.self_critical(group)) for group in (1, *study.groups))
    configs = {
        f"batch {batch}, {Search(beam=beam).label}": Timing(
            trials=trials, batch=batch, beam=beam, pictures=max(batch, study.timed)
        )
        for batch in study.batches
        for beam in (1, study.beam)
    }
    rows = tuple(
        Row(name=name, config=config, measure=partial(measure_speed, folder=request.folder))
        for name, config in configs.items()
    )
    return Plan(name="table5", rows=rows, finish=speed_sheet)


def _row(trial: Trial, searches: Sequence[Search]) -> Captioned:
    return Captioned(trial=trial, searches=tuple(searches))


def _plan(
    request: Request,
    name: str,
    rows: Mapping[str, Captioned],
    *,
    title: str,
    notes: Sequence[str],
) -> Plan:
    planned = tuple(
        Row(name=row, config=config, measure=partial(measure, folder=request.folder))
        for row, config in rows.items()
    )
    finish: Callable[[list[dict[str, Any]]], Report] = partial(score_sheet, title, notes)
    return Plan(name=name, rows=planned, finish=finish)


TABLES: dict[str, Planner] = {"1": plan_1, "3": plan_3, "4": plan_4, "5": plan_5}
