"""The tables of STAMF, by small models: what attention, streams, searches and data are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from signloom.reproduction.plan import Plan, Planner, Request
from signloom.reproduction.rows import Row
from signloom.reproduction.stamf.nearest import Nearest, measure_nearest
from signloom.reproduction.stamf.scoring import SEARCHES, Scoring, Search, measure
from signloom.reproduction.stamf.sheet import error_sheet
from signloom.reproduction.stamf.speed import Speed, measure_speed, speed_sheet
from signloom.reproduction.stamf.spoiling import Spoiling
from signloom.reproduction.stamf.study import PLACEMENTS, Study
from signloom.reproduction.stamf.unseen import Unseen, measure_unseen
from signloom.reproduction.studies import read_study
from signloom.reproduction.trained import Trial

SPOILED_FRAMES = (Spoiling(), Spoiling(frames=0.1), Spoiling(frames=0.3))
DROPPED_KEYPOINTS = (Spoiling(), Spoiling(keypoints=0.3), Spoiling(joints=0.3))
JOINED = "Sentences are signs of one signer joined by computed transitions; takes are disjoint."
TRACKS = "Tracks of head and hands alone: no fingers, no face."
GROUPED = "Five folds over all 201 sentences; no gloss string is in both train and test."
BOUNDARIES, STITCHED = {"frame_weight": 1.0}, {"restitched": 0.7}
NEITHER = {"frame_weight": 0.0, "restitched": 0.0}
BEST = NEITHER | BOUNDARIES
"""What was best of these on hand tracks."""


def plan_isl13(request: Request) -> Plan:
    """Plan joined sentences by two ways to hold takes out."""
    study = read_study(request, Study)
    rows = {
        "takes spread over the recording": _scoring(
            study, (study.isl13_trial(),), searches=SEARCHES
        ),
        "the last takes of each sign": _scoring(
            study, (study.isl13_trial(takes="last"),), searches=SEARCHES
        ),
    }
    notes = (
        JOINED,
        "Of several signs the last takes are signed in another way, or with the other hand.",
    )
    return _plan(request, "isl13", rows, title="STAMF: joined sentences (isl13)", notes=notes)


def plan_isl13_placements(request: Request) -> Plan:
    """Plan attention placements on joined sentences, clean and spoiled."""
    study = read_study(request, Study)
    rows = {
        f"attention: {placement}": _scoring(
            study, (study.isl13_trial(placement),), spoilings=SPOILED_FRAMES
        )
        for placement in ("none", *PLACEMENTS, "all")
    }
    title = "STAMF: attention on joined sentences (isl13)"
    return _plan(request, "placements-isl13", rows, title=title, notes=(JOINED,))


def plan_boston104_placements(request: Request) -> Plan:
    """Plan attention placements on hand tracks, clean and spoiled."""
    study = read_study(request, Study)
    rows = {
        f"attention: {placement}": _scoring(
            study,
            study.boston104_trials(BEST, placement=placement),
            spoilings=SPOILED_FRAMES,
        )
        for placement in ("none", *PLACEMENTS, "all")
    }
    title = "STAMF: attention on hand tracks (RWTH-BOSTON-104)"
    return _plan(request, "placements-boston104", rows, title=title, notes=(TRACKS, GROUPED))


def plan_boston104(request: Request) -> Plan:
    """Plan what word boundaries, stitched sentences and a language model add."""
    study = read_study(request, Study)
    nearest = Nearest(reader="boston104", path=study.boston104, folds=study.folds)
    parts: dict[str, Mapping[str, float]] = {
        "CTC": NEITHER,
        "CTC, word boundaries": NEITHER | BOUNDARIES,
        "CTC, stitched sentences": NEITHER | STITCHED,
        "CTC, both": BOUNDARIES | STITCHED,
    }
    rows = {
        name: _scoring(study, study.boston104_trials(changes), searches=SEARCHES)
        for name, changes in parts.items()
    }
    title = "STAMF on hand tracks (RWTH-BOSTON-104), no string in both train and test"
    return _plan(
        request,
        "boston104",
        rows,
        title=title,
        notes=(TRACKS, GROUPED),
        first={"nearest training sentence by DTW, untrained": nearest},
    )


def plan_boston104_official(request: Request) -> Plan:
    """Plan the official split of 161 and 40 sentences."""
    study = read_study(request, Study)
    nearest = Nearest(reader="boston104", path=study.boston104, folds=(None,))
    trial = study.boston104_trial(BEST, fold=None)
    title = "STAMF on hand tracks (RWTH-BOSTON-104), official split"
    notes = (TRACKS, "Of the 161 training sentences the models leave one in ten to validation.")
    return _plan(
        request,
        "boston104-official",
        {"CTC, word boundaries": _scoring(study, (trial,), searches=SEARCHES)},
        title=title,
        notes=notes,
        first={"nearest training sentence by DTW, untrained": nearest},
    )


def plan_streams(request: Request) -> Plan:
    """Plan keypoints, pictures and both, clean and with keypoints dropped."""
    study = read_study(request, Study)
    names = {
        "keypoints": "keypoints alone",
        "both": "both streams",
        "pictures": "pictures alone",
    }
    rows = {
        names[streams]: _scoring(
            study, (study.streams_trial(streams),), spoilings=DROPPED_KEYPOINTS
        )
        for streams in study.streams
    }
    notes = (JOINED, "Pictures are synthetic: a figure drawn from the poses, never filmed.")
    title = "STAMF: streams on joined sentences (isl13)"
    return _plan(request, "streams", rows, title=title, notes=notes)


def plan_searches(request: Request) -> Plan:
    """Plan greedy search, beam and language model on both corpora."""
    study = read_study(request, Study)
    rows = {
        "isl13": _scoring(study, (study.isl13_trial(),), searches=SEARCHES),
        "boston104, folds": _scoring(study, study.boston104_trials(BEST), searches=SEARCHES),
    }
    notes = (
        JOINED,
        TRACKS,
        f"Beam {study.beam}; language model: trigrams of the training glosses, weight "
        f"{study.language_model_weight:g}, bonus {study.insertion_bonus:g}, not tuned. The joined "
        "sentences are drawn at random: no language model can know them.",
    )
    return _plan(request, "searches", rows, title="STAMF: searches", notes=notes)


def plan_unseen(request: Request) -> Plan:
    """Plan a signer never seen: as the recipe is, and with what might help."""
    study = read_study(request, Study)
    tried: dict[str, dict[str, Any]] = {
        "as it is": {},
        "sizes and turns varied": {"augment.size": 0.2, "augment.turn": 0.3},
        "27 points, scaled in each clip": {
            "model.points": "stamf",
            "model.axes": 2,
            "model.scale": "clip",
        },
    }
    rows = tuple(
        Row(
            name=name,
            config=Unseen(trial=study.spelling_trial(changes), language=study.unseen),
            measure=partial(measure_unseen, folder=request.folder),
        )
        for name, changes in tried.items()
    )
    notes = (
        f"Trained on fingerspelling without {study.unseen}, whose letters the others share.",
        "One clip a letter, and one signer, of each language; letters are tokens.",
    )
    finish: Any = partial(error_sheet, "STAMF: a signer never seen", notes)
    return Plan(name="unseen", rows=rows, finish=finish)


def plan_speed(request: Request) -> Plan:
    """Plan what a frame takes."""
    study = read_study(request, Study)
    configs = {
        "joints by MediaPipe Holistic": Speed(what="extraction", film=study.film),
        f"{study.package} in ONNX Runtime": Speed(what="package", package=study.package),
        "paper's size, keypoints, PyTorch": Speed(what="model", streams="keypoints"),
        "paper's size, both streams, PyTorch": Speed(what="model", streams="both"),
    }
    rows = tuple(
        Row(name=name, config=config, measure=measure_speed) for name, config in configs.items()
    )
    return Plan(name="speed", rows=rows, finish=partial(speed_sheet, "STAMF: time of a frame"))


def _scoring(
    study: Study,
    trials: tuple[Trial, ...],
    *,
    spoilings: tuple[Spoiling, ...] = (Spoiling(),),
    searches: tuple[Search, ...] = ("greedy",),
) -> Scoring:
    return Scoring(
        trials=trials,
        spoilings=spoilings,
        searches=searches,
        beam=study.beam,
        language_model_weight=study.language_model_weight,
        insertion_bonus=study.insertion_bonus,
    )


def _plan(
    request: Request,
    name: str,
    rows: Mapping[str, Scoring],
    *,
    title: str,
    notes: Sequence[str],
    first: Mapping[str, Nearest] | None = None,
) -> Plan:
    """Plan a table: rows that need no training first."""
    untrained = [
        Row(name=row, config=config, measure=measure_nearest)
        for row, config in (first or {}).items()
    ]
    trained = [
        Row(name=row, config=config, measure=partial(measure, folder=request.folder))
        for row, config in rows.items()
    ]
    finish: Any = partial(error_sheet, title, notes)
    return Plan(name=name, rows=(*untrained, *trained), finish=finish)


TABLES: dict[str, Planner] = {
    "isl13": plan_isl13,
    "placements-isl13": plan_isl13_placements,
    "placements-boston104": plan_boston104_placements,
    "boston104": plan_boston104,
    "boston104-official": plan_boston104_official,
    "streams": plan_streams,
    "searches": plan_searches,
    "unseen": plan_unseen,
    "speed": plan_speed,
}
