"""The tables of NAT-UBD, in form: numbers are the paper's, names are our own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from signloom.reproduction.nat_ubd.scoring import Scoring, measure
from signloom.reproduction.nat_ubd.sheet import Sheet, error_sheet, mending_sheet
from signloom.reproduction.nat_ubd.speed import Speed, measure_speed, speed_sheet
from signloom.reproduction.nat_ubd.study import ABLATIONS, DECODERS, Study
from signloom.reproduction.nat_ubd.ways import (
    CTC,
    GREEDY,
    ONCE,
    TEN_ADAPTIVE,
    TEN_CYCLES,
    TEN_NEVER,
    Way,
)
from signloom.reproduction.plan import Plan, Planner, Request
from signloom.reproduction.rows import Row
from signloom.reproduction.studies import read_study
from signloom.reproduction.trained import Trial

STRINGS = (
    "FSDD digit strings, one speaker a string; recordings of test strings are in no other split."
)
BEGUN = (
    "But for the row of the recipe, decoders are trained anew on the encoder of the shipped model, "
    "which goes on learning."
)
SHIPPED = "NAT-UBD, as long as the recipe says"
ABLATED = (
    "Decoders with Q̂K̂V̂ and the self mask on the encoder of the shipped model; the ablations from "
    "the beginning, for so few steps that CTC hears nothing yet: they copy at once."
)
PAPER_TOKENS = 14
"""Characters of a mean utterance of AISHELL-1."""
AUTOREGRESSIVE = {"model.decoder": "autoregressive"}


def plan_1(request: Request) -> Plan:
    """Plan greedy CTC, refinement and the autoregressive baseline (table 1)."""
    study = read_study(request, Study)
    joint = Way(kind="autoregressive", beam=study.beam, ctc_weight=study.ctc_weight)
    both = ("dev", "test")
    rows = {
        "AR transformer + CTC": Scoring(
            trial=study.digits_trial(AUTOREGRESSIVE),
            ways=(GREEDY, joint),
            splits=both,
            timed=study.timed,
        ),
    }
    trials = {"NAT-UBD": study.digits_trial({}), SHIPPED: study.shipped_trial()}
    for name, trial in trials.items():
        rows[name] = Scoring(
            trial=trial,
            ways=(CTC, ONCE, TEN_ADAPTIVE, TEN_CYCLES),
            splits=both,
            timed=study.timed,
        )
    return _plan(request, "table1", rows, title="NAT-UBD table 1, in form", notes=(STRINGS, BEGUN))


def plan_3(request: Request) -> Plan:
    """Plan the ablations of queries and mask (table 3)."""
    study = read_study(request, Study)
    rows = {
        name: Scoring(
            trial=_ablation(study, changes),
            ways=(CTC, ONCE),
            replaced=0.2,
        )
        for name, changes in ABLATIONS.items()
    }
    rows[SHIPPED] = Scoring(trial=study.shipped_trial(), ways=(CTC, ONCE), replaced=0.2)
    title = "NAT-UBD table 3, in form: what keeps a decoder from copying"
    return _plan(
        request, "table3", rows, title=title, notes=(STRINGS, ABLATED), sheet=mending_sheet
    )


def plan_4(request: Request) -> Plan:
    """Plan ten iterations without termination, with adaptive termination and with cycles seen."""
    study = read_study(request, Study)
    trials = {"NAT-UBD": study.digits_trial({}), SHIPPED: study.shipped_trial()}
    rows = {
        name: Scoring(
            trial=trial, ways=(CTC, TEN_NEVER, TEN_ADAPTIVE, TEN_CYCLES), timed=study.timed
        )
        for name, trial in trials.items()
    }
    title = "NAT-UBD table 4, in form: when refinement ends"
    return _plan(request, "table4", rows, title=title, notes=(STRINGS, BEGUN))


def plan_5(request: Request) -> Plan:
    """Plan decoders from left to right, from right to left, both, and unified (table 5)."""
    study = read_study(request, Study)
    rows = {
        name: Scoring(
            trial=study.digits_trial(changes),
            ways=(CTC, ONCE, TEN_ADAPTIVE, TEN_CYCLES),
            timed=study.timed,
        )
        for name, changes in DECODERS.items()
    }
    title = "NAT-UBD table 5, in form: what a decoder sees"
    return _plan(request, "table5", rows, title=title, notes=(STRINGS, BEGUN))


def plan_speakers(request: Request) -> Plan:
    """Plan a speaker never heard, each in turn."""
    study = read_study(request, Study)
    rows = {
        f"without {speaker}": Scoring(
            trial=study.fresh_trial({"corpus.held_out": speaker}, steps=study.speaker_steps),
            ways=(CTC, ONCE, TEN_CYCLES),
        )
        for speaker in study.speakers
    }
    notes = ("FSDD digit strings; all test strings are of the speaker who was left out.",)
    title = "NAT-UBD: a speaker never heard"
    return _plan(request, "speakers", rows, title=title, notes=notes)


def plan_noise(request: Request) -> Plan:
    """Plan white noise under the test strings."""
    study = read_study(request, Study)
    rows = {
        "clean" if noise is None else f"white noise at {noise:g} dB": Scoring(
            trial=study.shipped_trial(), ways=(CTC, ONCE, TEN_CYCLES), noise_db=noise
        )
        for noise in (None, *study.noises_db)
    }
    title = "NAT-UBD: digit strings in noise"
    return _plan(request, "noise", rows, title=title, notes=(STRINGS,))


def plan_mandarin(request: Request) -> Plan:
    """Plan 500 Mandarin utterances of one speaker, split at random."""
    study = read_study(request, Study)
    values = {"corpus.path": study.mandarin, "training.steps": study.mandarin_steps}
    row = Scoring(
        trial=Trial.of(study.mandarin_recipe, values),
        ways=(CTC, ONCE, TEN_CYCLES),
        splits=("train", "dev", "test"),
    )
    notes = (
        "Utterances of one speaker, split at random: far too few for their characters, so that the "
        "model over-fits. Read `train` beside `test`.",
    )
    title = "NAT-UBD: a small Mandarin set, over-fitted"
    return _plan(request, "mandarin", {"NAT-UBD": row}, title=title, notes=notes)


def plan_synthetic(request: Request) -> Plan:
    """Plan synthetic speech of longer text."""
    study = read_study(request, Study)
    values = {"corpus.path": study.synthetic, "training.steps": study.synthetic_steps}
    row = Scoring(
        trial=Trial.of(study.synthetic_recipe, values),
        ways=(CTC, ONCE, TEN_ADAPTIVE, TEN_CYCLES),
        timed=study.timed,
    )
    notes = ("SYNTHETIC speech of espeak-ng, not of people: it says nothing of real voices.",)
    title = "NAT-UBD: synthetic speech"
    return _plan(request, "synthetic", {"NAT-UBD": row}, title=title, notes=notes)


def plan_speed(request: Request) -> Plan:
    """Plan the decoders alone."""
    study = read_study(request, Study)
    configs = {
        "digit strings, trained": Speed(
            unified=study.shipped_trial(),
            autoregressive=study.digits_trial(AUTOREGRESSIVE),
            utterances=study.timed,
        ),
        f"paper's size, random weights, {PAPER_TOKENS} tokens": Speed(
            unified=None, autoregressive=None, utterances=PAPER_TOKENS
        ),
    }
    rows = tuple(
        Row(name=name, config=config, measure=partial(measure_speed, folder=request.folder))
        for name, config in configs.items()
    )
    return Plan(name="speed", rows=rows, finish=partial(speed_sheet, "NAT-UBD: decoders alone"))


def _plan(
    request: Request,
    name: str,
    rows: Mapping[str, Scoring],
    *,
    title: str,
    notes: Sequence[str],
    sheet: Sheet = error_sheet,
) -> Plan:
    planned = tuple(
        Row(name=row, config=config, measure=partial(measure, folder=request.folder))
        for row, config in rows.items()
    )
    return Plan(name=name, rows=planned, finish=partial(sheet, title, notes))


def _ablation(study: Study, changes: Mapping[str, object]) -> Trial:
    """Train an ablation: who copies needs few steps, as in the paper, and no good encoder."""
    if any(key.startswith("model.") for key in changes):
        return study.fresh_trial(changes, steps=study.ablation_steps)
    return study.digits_trial(changes)


TABLES: dict[str, Planner] = {
    "1": plan_1,
    "3": plan_3,
    "4": plan_4,
    "5": plan_5,
    "speed": plan_speed,
    "speakers": plan_speakers,
    "noise": plan_noise,
    "mandarin": plan_mandarin,
    "synthetic": plan_synthetic,
}
