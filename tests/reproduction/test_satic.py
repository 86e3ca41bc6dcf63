"""The tables of SATIC are made on small pictures, from the first training to the last line."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.errors import ConfigError
from signloom.reproduction.plan import Outcome, Request, carry_out
from signloom.reproduction.satic.catalogue import FIGURES, TABLES
from signloom.reproduction.satic.study import Study
from signloom.reproduction.trained import Trial
from tests.small_pictures import write_features, write_pictures

pytestmark = pytest.mark.compiled

SMALL = (
    *("model.dim=16", "model.ffn_dim=24", "model.num_heads=2", "model.decoder_layers=1"),
    *("corpus.least=1", "corpus.max_words=7", "task.batch_size=3", "training.interval=2"),
    "training.validation_batches=1",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("satic")
    write_features(write_pictures(folder / "pictures"), folder / "features")
    return folder


def request(folder: Path, *more: str) -> Request:
    overrides = (
        f"study.path={folder / 'pictures'}",
        f"study.features={folder / 'features'}",
        *("study.reader=captions", "study.groups=[2]", "study.ablated=2", "study.steps=2"),
        *("study.batches=[4]", "study.timed=4", "study.beams=[1, 2]", "study.beam=2"),
        f"study.changes={list(SMALL)}",
        *more,
    )
    return Request(overrides=overrides, folder=folder / "out")


def made(folder: Path, name: str) -> Outcome:
    planner = TABLES[name] if name in TABLES else FIGURES[name]
    return carry_out(planner(request(folder)), folder / "out", command="signloom reproduce")


@pytest.mark.parametrize(
    ("name", "lines"),
    [("1", 8), ("3", 6), ("4", 16), ("5", 4), ("curves", 2)],
)
def test_a_table_is_made(name: str, lines: int, folder: Path) -> None:
    outcome = made(folder, name)
    assert len(outcome.report.grid.lines) == lines
    assert all(len(line) == len(outcome.report.grid.columns) for line in outcome.report.grid.lines)
    assert all(file.is_file() for file in outcome.files)
    again = made(folder, name)
    assert again.measured == 0
    assert again.report.grid == outcome.report.grid


def test_a_chain_of_trainings_is_named_by_all_that_it_hangs_on() -> None:
    study = Study()
    trials: list[Trial] = [
        study.cross_entropy(1),
        study.self_critical(1),
        *(
            study.cross_entropy(4, begun=begun, taught=taught)
            for begun in (True, False)
            for taught in (True, False)
        ),
        study.self_critical(4),
        study.self_critical(4, begun=False, taught=False),
    ]
    assert len({trial.digest for trial in trials}) == len(trials)
    assert study.cross_entropy(2).begins == study.cross_entropy(2).teacher == study.self_critical(1)


def test_other_people_s_models_are_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match="--model and --text"):
        TABLES["1"](Request(models={"a": "b"}))
    with pytest.raises(ConfigError, match=r"Unknown key `study\.group`"):
        TABLES["1"](Request(overrides=("study.group=3",)))
