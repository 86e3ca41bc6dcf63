"""Tables of STAMF: what they plan, and that one really trains, on hand tracks of a toy corpus."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from signloom.data.example import Example
from signloom.errors import ConfigError
from signloom.metrics.text import EditCounts
from signloom.reproduction.plan import Outcome, Plan, Request, carry_out
from signloom.reproduction.stamf.catalogue import TABLES
from signloom.reproduction.stamf.scoring import SEARCHES, Errors, Scoring, read_counts
from signloom.reproduction.stamf.sheet import error_sheet
from signloom.reproduction.stamf.spoiling import Spoiling
from signloom.reproduction.trained import Trial
from signloom.training.recipe import load_recipe
from tests.data.small_corpus import moving_frames
from tests.reproduction.small_tracks import TEST, write_tracks

pytestmark = pytest.mark.compiled

RECIPE = """
system: recognize
model: {streams: keypoints, points: tracks, scale: shoulders, embedding: linear, embedding_dim: 16,
        keypoint_dim: 16, pools: [2, 1], lstm_dim: 24, lstm_layers: 1, dropout: 0}
task: {batch_size: 6, pool: 1}
augment: {flip: 0, rescale: 0.1}
corpus: {reader: boston104, path: tracks}
training: {lr_max: 0.01, lr_min: 0.001, warmup: 0, interval: 60, validation_batches: 1}
"""


def planned(folder: Path, table: str, **changes: object) -> Plan:
    """Plan a table of a study of small hand tracks."""
    (folder / "toy.yaml").write_text(RECIPE)
    values = {
        "boston104": str(write_tracks(folder / "tracks")),
        "boston104_recipe": str(folder / "toy.yaml"),
        "boston104_steps": 60,
        "folds": [1, 3],
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
        for trial in getattr(row.config, "trials", ()):
            recipe = load_recipe(trial.recipe, trial.overrides)
            assert recipe.system == "recognize"
            if "boston104" in table:
                assert recipe.training.steps == 60
                assert recipe.sections["corpus"].path == str(tmp_path / "tracks")


@pytest.mark.parametrize("corpus", ["isl13", "boston104"])
def test_each_row_of_placements_switches_its_own_attention_on(corpus: str, tmp_path: Path) -> None:
    found = {}
    for row in planned(tmp_path, f"placements-{corpus}").rows:
        assert [one.label for one in row.config.spoilings] == [
            *("clean", "10 % of frames", "30 % of frames")
        ]
        for trial in row.config.trials:
            model = load_recipe(trial.recipe, trial.overrides).sections["model"]
            on = [one for one in ("spatial", "early", "late") if getattr(model, f"{one}_attention")]
            found[row.name.removeprefix("attention: ")] = on
    assert found == {
        "none": [],
        "spatial": ["spatial"],
        "early": ["early"],
        "late": ["late"],
        "all": ["spatial", "early", "late"],
    }


def test_hand_tracks_are_tested_in_folds_and_by_what_is_added(tmp_path: Path) -> None:
    nearest, *rows = planned(tmp_path, "boston104").rows
    assert nearest.config.folds == (1, 3)
    added = []
    for row in rows:
        config: Scoring = row.config
        assert config.searches == SEARCHES
        recipes = [load_recipe(one.recipe, one.overrides) for one in config.trials]
        assert [one.sections["corpus"].fold for one in recipes] == [1, 3]
        task = recipes[0].sections["task"]
        added.append((task.frame_weight > 0, task.restitched > 0))
    assert added == [(False, False), (True, False), (False, True), (True, True)]


def test_streams_are_keypoints_pictures_and_both(tmp_path: Path) -> None:
    assert len(planned(tmp_path, "streams").rows) == 2
    rows = planned(tmp_path, "streams", streams=["keypoints", "pictures", "both"]).rows
    recipes = [load_recipe(one.recipe, one.overrides) for row in rows for one in row.config.trials]
    assert {one.sections["model"].streams for one in recipes} == {"keypoints", "pictures", "both"}
    assert all(one.sections["corpus"].rendered_px for one in recipes)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (Request(overrides=["study.layers=3"]), "Unknown key `study.layers`"),
        (Request(overrides=["study.beam=0"]), r"study\.beam"),
        (Request(overrides=["study.folds=[7]"]), r"study\.folds"),
        (Request(text="hello"), "Leave them out"),
        (Request(models={"a": "b"}), "Leave them out"),
    ],
)
def test_what_a_table_cannot_take_is_refused(request_: Request, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        TABLES["boston104"](request_)


class TestToy:
    """One recogniser, trained once, beside the nearest training sentence."""

    @pytest.fixture(scope="class")
    def folder(self, tmp_path_factory: pytest.TempPathFactory) -> Path:
        return tmp_path_factory.mktemp("study")

    @pytest.fixture(scope="class")
    def done(self, folder: Path) -> Outcome:
        return carry_out(planned(folder, "boston104-official"), folder / "out", command="toy")

    def test_a_table_trains_and_counts_errors(self, done: Outcome, folder: Path) -> None:
        assert done.measured == 2
        nearest, trained = (row["result"] for row in done.document["rows"])
        assert [*nearest["scores"]] == ["clean: nearest"]
        assert [*trained["scores"]] == [f"clean: {one}" for one in SEARCHES]
        assert (nearest["steps"], trained["steps"]) == (0, 60)
        assert trained["parameters"] > 1000
        for scores in (*nearest["scores"].values(), *trained["scores"].values()):
            assert (scores["clips"], scores["length"]) == (len(TEST), 4)
            errors = sum(scores[one] for one in ("substitutions", "deletions", "insertions"))
            assert scores["wer"] == pytest.approx(100 * errors / 4)
            assert scores["seen"]["clips"] + scores["unseen"]["clips"] == 2
        # The nearest sentence is right where training had it, and wrong where it had not.
        assert nearest["scores"]["clean: nearest"]["seen"]["wer"] == 0
        assert nearest["scores"]["clean: nearest"]["unseen"]["wer"] > 0
        assert trained["scores"]["clean: greedy"]["wer"] <= 50
        table = (folder / "out/boston104-official.md").read_text()
        assert table.count("\n| CTC, word boundaries | clean: ") == 3

    def test_a_second_time_nothing_is_trained_or_measured(
        self, done: Outcome, folder: Path
    ) -> None:
        again = carry_out(planned(folder, "boston104-official"), folder / "out", command="toy")
        assert again.measured == 0
        assert again.report.grid == done.report.grid

    def test_a_run_is_found_again_and_refused_when_its_recipe_has_changed(
        self, done: Outcome, folder: Path
    ) -> None:
        [trial] = planned(folder, "boston104-official").rows[1].config.trials
        checkpoint = trial.checkpoint(folder / "out")
        before = checkpoint.stat().st_mtime_ns
        assert trial.checkpoint(folder / "out").stat().st_mtime_ns == before
        Path(trial.recipe).write_text(RECIPE.replace("lr_max: 0.01", "lr_max: 0.02"))
        with pytest.raises(ConfigError, match=r"one of another recipe\. Remove the folder"):
            trial.checkpoint(folder / "out")


def test_trainings_are_told_apart_by_recipe_and_overrides() -> None:
    trials = [
        Trial(recipe="a"),
        Trial(recipe="b"),
        Trial(recipe="a", overrides=("x=1",)),
        Trial(recipe="a", overrides=("x=2",)),
    ]
    assert len({one.digest for one in trials}) == 4
    assert Trial(recipe="a", overrides=("x=1",)).digest == trials[2].digest


def clip(name: str = "c") -> Example:
    frames = moving_frames(20)
    film = np.random.default_rng(0).integers(256, size=(20, 16, 16, 3)).astype(np.uint8)
    return Example(name, "", ("A",), frames, (), glosses=("A", "B"), pictures=lambda: film)


def test_a_clip_is_spoiled_in_the_same_way_every_time_and_as_much_as_is_said() -> None:
    np.testing.assert_array_equal(Spoiling().spoil(clip()).frames, clip().frames)
    first, again = (Spoiling(frames=0.3).spoil(clip()) for _ in range(2))
    np.testing.assert_array_equal(first.frames, again.frames)
    moved = (first.frames != clip().frames).any(axis=(1, 2))
    blurred = (first.pictures() != clip().pictures()).any(axis=(1, 2, 3))
    assert moved.sum() == 6
    np.testing.assert_array_equal(moved, blurred)
    other = Spoiling(frames=0.3).spoil(clip("d"))
    assert (other.frames != first.frames).any()
    hidden = Spoiling(keypoints=0.4).spoil(clip())
    assert (hidden.confidence == 0).mean() == pytest.approx(0.4)
    assert Spoiling(frames=0.1, keypoints=0.3).label == "10 % of frames, 30 % of keypoints"


def test_errors_are_counted_against_what_was_signed_seen_and_unseen_apart() -> None:
    errors = Errors()
    errors.add(("A", "X"), clip(), {("A", "B")})
    errors.add(("B",), clip(), set())
    errors.add(("A", "B"), clip(), set())
    scores = errors.to_dict()
    assert scores["wer"] == pytest.approx(100 * 2 / 6)
    assert scores["seen"] == {"clips": 1, "wer": 50}
    assert scores["unseen"] == {"clips": 2, "wer": 25}
    assert read_counts(scores) == [
        EditCounts(1, 0, 0, 2),
        EditCounts(0, 1, 0, 2),
        EditCounts(0, 0, 0, 2),
    ]


def test_lines_are_compared_with_the_first_row_read_alike() -> None:
    def row(name: str, *reads: tuple[str, ...]) -> dict:
        errors = Errors()
        for one in reads:
            errors.add(one, clip(), set())
        scores = {"clean: greedy": errors.to_dict()}
        return {"name": name, "result": {"scores": scores, "steps": 7, "parameters": 1234}}

    good, bad = [("A", "B")] * 9, [("X",)] * 9
    rows = [row("first", *bad), row("second", *good), row("third", *good[:5])]
    grid = error_sheet("title", ("note",), rows).grid
    assert [line[0] for line in grid.lines] == ["first", "second", "third"]
    assert [line[-1].split(" ")[0] for line in grid.lines] == ["", "-100.00", "other"]
    assert "7 optimiser steps and 1,234 parameters" in grid.notes[-1]
