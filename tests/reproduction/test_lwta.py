"""Tables of the LWTA transformer: what they plan, and that one really runs, by a toy of a study."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from signloom.errors import ConfigError
from signloom.reproduction.lwta.catalogue import TABLES
from signloom.reproduction.lwta.scoring import Scoring, read_translations
from signloom.reproduction.plan import Outcome, Plan, Request, carry_out
from signloom.training.recipe import load_recipe
from tests.small_translator import SENTENCES, write_text

pytestmark = pytest.mark.compiled

RECIPE = """
system: translate
corpus: {kind: text, languages: [gsg]}
model: {num_heads: 2, dropout: 0}
task: {batch_size: 5, pool: 1, smoothing: 0, annealing: 10000}
training: {lr_max: 0.01, warmup: 0, interval: 30, weight_decay: 0}
"""


def overrides(folder: Path) -> list[str]:
    """Write a recipe and a text; give the study of them."""
    write_text(folder)
    (folder / "toy.yaml").write_text(RECIPE)
    values = {
        "recipe": str(folder / "toy.yaml"),
        "data": str(folder),
        "glosses": "toy.{split}.gloss",
        "recognised": "toy.{split}.gloss",
        "sentences": "toy.{split}.de",
        "steps": 60,
        "sweep_steps": 3,
        "dim": 16,
        "ffn_dim": 20,
        "seeds": [0, 3],
        "beams": [1, 2],
        "penalties": [0.0, 1.0],
    }
    return [f"study.{key}={json.dumps(value)}" for key, value in values.items()]


def planned(folder: Path, table: str) -> Plan:
    return TABLES[table](Request(overrides=overrides(folder), folder=folder / "out"))


@pytest.mark.parametrize("table", [*TABLES])
def test_every_table_is_planned_as_the_study_says(table: str, tmp_path: Path) -> None:
    plan = planned(tmp_path, table)
    assert len({row.hash for row in plan.rows}) == len(plan.rows) >= 2
    assert len({row.name for row in plan.rows}) == len(plan.rows)
    for row in plan.rows:
        config: Scoring = row.config
        assert config.study.dim == 16
        json.dumps(asdict(config))
        for member in config.members:
            recipe = load_recipe(config.study.recipe, member.overrides(config.study))
            assert recipe.sections["model"].units == member.units
            assert recipe.sections["model"].weights == member.weights
            assert recipe.training.steps in (60, 3)
            assert (recipe.training.steps == 3) == (table == "scales")


def test_tables_ask_for_what_they_are_about(tmp_path: Path) -> None:
    ensembles = [len(row.config.members) for row in planned(tmp_path, "4").rows]
    assert ensembles == [1, 1, 2, 2]
    depths = [row.config.members[0].layers for row in planned(tmp_path, "2").rows]
    assert depths == [1, 2, 3]
    samples = [row.config.samples for row in planned(tmp_path, "samples").rows]
    assert samples == [0, 1, 4, 8]
    forms = [row.config.form for row in planned(tmp_path, "3").rows]
    assert forms == ["", "float16", "int8", "packed", "packed"]


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (Request(overrides=["study.layers=3"]), "Unknown key `study.layers`"),
        (Request(overrides=["study.dim=2"]), r"study\.dim"),
        (Request(overrides=["model.dim=16"]), "Unknown key `model`"),
        (Request(text="hello"), "Leave them out"),
        (Request(models={"a": "b"}), "Leave them out"),
    ],
)
def test_what_a_table_cannot_take_is_refused(request_: Request, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        TABLES["2"](request_)


class TestToy:
    """One model, trained once, and two tables of it."""

    @pytest.fixture(scope="class")
    def folder(self, tmp_path_factory: pytest.TempPathFactory) -> Path:
        return tmp_path_factory.mktemp("study")

    @pytest.fixture(scope="class")
    def done(self, folder: Path) -> Outcome:
        return carry_out(planned(folder, "samples"), folder / "out", command="toy")

    def test_a_table_trains_tunes_and_scores(self, done: Outcome, folder: Path) -> None:
        assert done.measured == 4
        rows = {row["name"]: row["result"] for row in done.document["rows"]}
        assert rows["mean"]["test"]["bleu4"] > 30
        assert rows["mean"]["spread"] == 0 < rows["S = 4"]["spread"]
        for result in rows.values():
            assert (result["beam"], result["length_penalty"]) in {(1, 0.0), (2, 0.0), (2, 1.0)}
            low, high = result["interval"]
            assert low - 1e-6 <= result["test"]["bleu4"] <= high + 1e-6
            assert result["seconds_alone"] > 0
            assert len(read_translations(result, folder / "out")) == len(SENTENCES)
        table = (folder / "out/samples.md").read_text()
        assert table.count("\n| S = ") == 3
        assert f"{rows['mean']['test']['bleu4']:.2f}" in table
        assert len(list((folder / "out/packages").iterdir())) == 1

    def test_a_second_time_nothing_is_measured(self, done: Outcome, folder: Path) -> None:
        again = carry_out(planned(folder, "samples"), folder / "out", command="toy")
        assert again.measured == 0
        assert again.report.grid == done.report.grid

    def test_each_compressed_row_keeps_translations_of_its_own(
        self, done: Outcome, folder: Path
    ) -> None:
        table = carry_out(planned(folder, "3"), folder / "out", command="toy")
        results = [row["result"] for row in table.document["rows"]]
        assert len({result["translations"] for result in results}) == 5
        bits = [result["bits_a_bayesian_weight"] for result in results]
        assert bits[0] is None
        assert bits[4] <= bits[3] < bits[2] < bits[1] <= 17
        sizes = [result["bytes"] for result in results]
        assert sizes[3] < sizes[2] < sizes[1] < sizes[0]
