"""The tables of the stochastic LWTA transformer, and what they leave open, by small models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from signloom.reproduction.lwta import published
from signloom.reproduction.lwta.samples import show_samples
from signloom.reproduction.lwta.scoring import Scoring, measure
from signloom.reproduction.lwta.sheet import score_sheet
from signloom.reproduction.lwta.variants import Study, Variant
from signloom.reproduction.plan import Plan, Planner, Request
from signloom.reproduction.rows import Row
from signloom.reproduction.studies import read_study

POINT_RELU = Variant(units="relu", weights="point")
STOCHASTIC = Variant()
SCALES = ((0.1, 0.1), (0.0, 0.0), (1.0, 1.0), (125.0, 0.1))
"""s_w and s_ξ in units of 1 / weights and 1 / blocks; 125 is 1 / N at the default size."""


def plan_rows(
    request: Request,
    name: str,
    title: str,
    rows: Mapping[str, Scoring],
    *,
    finish: Any = None,
    paper: Mapping[str, str] | None = None,
) -> Plan:
    """Plan a table whose rows are translators scored on the test set.

    Args:
        request: Has the folder.
        name: Name of the table's files.
        title: What it shows.
        rows: By name; the first is what the others are compared with.
        finish: Makes the report of rows; by default a line of scores each.
        paper: What the paper says of a row, in a last column.
    """
    made = tuple(
        Row(name=row, config=config, measure=partial(measure, folder=request.folder))
        for row, config in rows.items()
    )
    whole = finish or partial(score_sheet, title, request, dict(rows), paper or {})
    return Plan(name=name, rows=made, finish=whole)


def plan_inputs(request: Request) -> Plan:
    """Plan table 1: glosses that people wrote down, and glosses that a recogniser read."""
    study = read_study(request, Study)
    read = Variant(glosses="recognised")
    rows = {
        "point ReLU, written glosses": Scoring(study=study, members=(POINT_RELU,)),
        "LWTA, written glosses": Scoring(study=study, members=(STOCHASTIC,), samples=study.samples),
        "LWTA trained on written, reads recognised": Scoring(
            study=study, members=(STOCHASTIC,), samples=study.samples, glosses="recognised"
        ),
        "LWTA trained on recognised (S2G2T)": Scoring(
            study=study, members=(read,), samples=study.samples, glosses="recognised"
        ),
    }
    return plan_rows(request, "table1", "LWTA, table 1: what is read", rows)


def plan_variants(request: Request) -> Plan:
    """Plan the four variants at equal steps: units × weights."""
    study = read_study(request, Study)
    rows = {}
    for weights in ("point", "bayesian"):
        for units in ("relu", "lwta"):
            members = (Variant(units=units, weights=weights),)
            samples = 0 if members[0] == POINT_RELU else study.samples
            name = f"{weights} weights, {units}{f', S = {samples}' if samples else ''}"
            rows[name] = Scoring(study=study, members=members, samples=samples)
    rows["bayesian weights, lwta, mean"] = Scoring(study=study, members=(STOCHASTIC,))
    return plan_rows(request, "variants", "LWTA: units and weights at equal steps", rows)


def plan_depths(request: Request) -> Plan:
    """Plan table 2: depths 1-1, 2-2 and 3-3."""
    study = read_study(request, Study)
    rows = {
        f"LWTA ({depth}-{depth})": Scoring(
            study=study, members=(Variant(layers=depth),), samples=study.samples
        )
        for depth in (1, 2, 3)
    }
    paper = {f"LWTA ({depth}-{depth})": f"{bleu}" for depth, bleu in published.TABLE_2.items()}
    return plan_rows(request, "table2", "LWTA, table 2: depth", rows, paper=paper)


def plan_compression(request: Request) -> Plan:
    """Plan table 3: the same weights in fewer bits."""
    study = read_study(request, Study)
    rows = {
        "float32": Scoring(study=study, members=(STOCHASTIC,)),
        "float16": Scoring(study=study, members=(STOCHASTIC,), form="float16"),
        "int8": Scoring(study=study, members=(STOCHASTIC,), form="int8"),
        "packed, smallest spread": Scoring(study=study, members=(STOCHASTIC,), form="packed"),
        "packed, mean spread": Scoring(
            study=study, members=(STOCHASTIC,), form="packed", aggregation="mean"
        ),
    }
    paper = {"packed, smallest spread": f"< {published.BITS} bits"}
    return plan_rows(request, "table3", "LWTA, table 3: compression", rows, paper=paper)


def plan_ensembles(request: Request) -> Plan:
    """Plan table 4: the members one by one, together, and together compressed."""
    study = read_study(request, Study)
    members = tuple(Variant(seed=seed) for seed in study.seeds)
    rows = {
        f"seed {member.seed}": Scoring(study=study, members=(member,)) for member in members
    } | {
        f"ensemble of {len(members)}": Scoring(study=study, members=members),
        f"ensemble of {len(members)}, packed": Scoring(study=study, members=members, form="packed"),
    }
    paper = {f"ensemble of {size}": f"{bleu}" for size, bleu in published.TABLE_4.items()}
    return plan_rows(request, "table4", "LWTA, table 4: ensembles", rows, paper=paper)


def plan_samples(request: Request) -> Plan:
    """Plan means and likeliest winners against averages of S samples."""
    study = read_study(request, Study)
    rows = {"mean": Scoring(study=study, members=(STOCHASTIC,))} | {
        f"S = {count}": Scoring(study=study, members=(STOCHASTIC,), samples=count)
        for count in (1, 4, 8)
    }
    return plan_rows(request, "samples", "LWTA: samples", rows)


def plan_scales(request: Request) -> Plan:
    """Plan the sweep over the scales of both divergences, and the collapse of the textbook's."""
    study = read_study(request, Study)
    steps = study.sweep_steps
    rows = {}
    for weights, winners in SCALES:
        variant = Variant(steps=steps, weight_divergence=weights, winner_divergence=winners)
        name = f"s_w {weights:g}, s_ξ {winners:g}"
        rows[name] = Scoring(study=study, members=(variant,))
    return plan_rows(request, "scales", f"LWTA: scales of the divergences, {steps} steps", rows)


def plan_sentences(request: Request) -> Plan:
    """Plan table 7: ten translations beside their references."""
    study = read_study(request, Study)
    rows = {
        "LWTA": Scoring(study=study, members=(STOCHASTIC,), samples=study.samples),
        "point ReLU": Scoring(study=study, members=(POINT_RELU,)),
    }
    finish = partial(show_samples, study, request)
    return plan_rows(request, "table7", "LWTA, table 7", rows, finish=finish)


TABLES: dict[str, Planner] = {
    "1": plan_inputs,
    "2": plan_depths,
    "3": plan_compression,
    "4": plan_ensembles,
    "7": plan_sentences,
    "variants": plan_variants,
    "samples": plan_samples,
    "scales": plan_scales,
}
