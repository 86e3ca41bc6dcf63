"""Tables of NAT-UBD: what they plan, and that one really trains, on digits that are tones."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from signloom.errors import ConfigError
from signloom.reproduction.nat_ubd.catalogue import TABLES
from signloom.reproduction.nat_ubd.ways import CTC, ONCE
from signloom.reproduction.plan import Plan, Request, carry_out
from signloom.training.recipe import load_recipe
from tests.small_digits import write_digits

pytestmark = pytest.mark.compiled

RECIPE = """
system: transcribe
model: {dim: 16, ffn_dim: 24, num_heads: 2, encoder_layers: 1, channels: 2, decoder_layers: 2,
        dropout: 0}
task: {batch_size: 8, pool: 1, kept: 1}
corpus: {num_mels: 12, pitch: false, num_train: 40, num_dev: 10, num_test: 12}
variation: {speeds: [1.0], band_width: 2, stretch_s: 0.05}
training: {steps: 8, lr_max: 0.01, warmup: 0, interval: 4, validation_batches: 1, monitor: error,
           average: 2}
"""


def planned(folder: Path, table: str, **changes: object) -> Plan:
    """Plan a table of a small study."""
    (folder / "toy.yaml").write_text(RECIPE)
    values = {
        "digits": str(folder / "digits"),
        "recipe": str(folder / "toy.yaml"),
        "steps": 6,
        "ablation_steps": 4,
        "speaker_steps": 4,
        "timed": 2,
        "beam": 3,
    } | changes
    overrides = [f"study.{key}={json.dumps(value)}" for key, value in values.items()]
    return TABLES[table](Request(overrides=overrides, folder=folder / "out"))


@pytest.mark.parametrize("table", [*TABLES])
def test_every_table_is_planned_as_the_study_says(table: str, tmp_path: Path) -> None:
    plan = planned(tmp_path, table)
    assert len({row.hash for row in plan.rows}) == len(plan.rows) >= 1
    assert len({row.name for row in plan.rows}) == len(plan.rows)
    for row in plan.rows:
        json.dumps(asdict(row.config))
        trial = getattr(row.config, "trial", None)
        if trial is not None and table not in ("mandarin", "synthetic"):
            recipe = load_recipe(trial.recipe, trial.overrides)
            assert recipe.sections["corpus"].path == str(tmp_path / "digits")


def test_the_ablations_take_away_queries_mask_and_both(tmp_path: Path) -> None:
    models = [
        load_recipe(row.config.trial.recipe, row.config.trial.overrides).sections["model"]
        for row in planned(tmp_path, "3").rows
    ]
    assert [(one.separate, one.self_mask) for one in models] == [
        *((True, True), (True, True), (False, True), (True, False), (False, False), (True, True))
    ]


def test_decoders_see_from_the_left_the_right_both_and_all(tmp_path: Path) -> None:
    decoders = [
        load_recipe(row.config.trial.recipe, row.config.trial.overrides).sections["model"].decoder
        for row in planned(tmp_path, "5").rows
    ]
    assert decoders == ["left_to_right", "right_to_left", "both", "unified"]


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (Request(overrides=["study.layers=3"]), "Unknown key `study.layers`"),
        (Request(overrides=["study.beam=0"]), r"study\.beam"),
        (Request(text="hello"), "Leave them out"),
    ],
)
def test_what_a_table_cannot_take_is_refused(request_: Request, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        TABLES["1"](request_)


def test_tables_train_once_and_say_errors_times_and_what_is_mended(tmp_path: Path) -> None:
    write_digits(tmp_path / "digits", speakers={"ann": 0.5})
    outcome = carry_out(planned(tmp_path, "1"), tmp_path / "out", command="test")
    baseline, unified, _ = (row["result"]["scores"] for row in outcome.document["rows"])
    assert list(baseline["test"]) == ["greedy", "beam 3, CTC 0.3"]
    assert list(unified["dev"])[:2] == [CTC.label, ONCE.label]
    for scores in (baseline["test"]["greedy"], unified["test"][ONCE.label]):
        assert scores["utterances"] == len(scores["counts"]) == 12
        assert scores["error"] == 100 * sum(sum(row[:3]) for row in scores["counts"]) / sum(
            row[3] for row in scores["counts"]
        )
        assert scores["rtf"] > 0
    assert unified["test"][ONCE.label]["iterations"] == pytest.approx(1, abs=1)
    runs = tmp_path / "out" / "runs"
    begun = {path.name: load_recipe(str(path / "recipe.yaml")).training for path in runs.iterdir()}
    assert [one.init_only for one in begun.values()].count(("subsampling", "encoder", "ctc")) == 2
    assert len(begun) == 3
    outcome = carry_out(planned(tmp_path, "3"), tmp_path / "out", command="test")
    for row in outcome.document["rows"]:
        mended = row["result"]["mended"]
        assert mended["replaced"] > 0
        assert 0 <= mended["mended"] + mended["copied"] <= 100
    # The unified decoder of table 1 was not trained again.
    assert len(list((tmp_path / "out" / "runs").iterdir())) == 7
    speed = planned(tmp_path, "speed", timed=1)
    outcome = carry_out(replace(speed, rows=speed.rows[:1]), tmp_path / "out", command="test")
    [timed] = outcome.document["rows"]
    assert timed["result"]["ratio"] > 0
    assert 1 <= timed["result"]["steps"] <= 17
    assert len(list((tmp_path / "out" / "runs").iterdir())) == 7
