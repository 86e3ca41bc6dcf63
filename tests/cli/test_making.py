"""Train, export and evaluate from the command line, and the mistakes that they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from signloom.cli.app import main
from signloom.training.recipe import recipe_names

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "run"
    assert main(["train", "produce/toy", "--set", "training.steps=3", "--out", str(folder)]) == 0
    return folder


def test_without_a_recipe_the_recipes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train"]) == 0
    assert capsys.readouterr().out.split() == recipe_names()


def test_a_checkpoint_becomes_a_package_that_is_measured(
    run_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = run_folder.parent / "produce-mine-v1"
    assert main(["export", str(run_folder / "last.ckpt"), str(package), "--json"]) == 0
    exported = json.loads(capsys.readouterr().out)
    assert exported["name"] == "produce-mine-v1"
    report = run_folder.parent / "report.json"
    command = ["evaluate", str(package), "--words", "5", "--doubled", "2", "-o", str(report)]
    assert main(command) == 0
    printed = capsys.readouterr()
    assert "letter error %" in printed.out
    assert "produce-mine-v1: letter_error must be <= 2" in printed.err
    again = ["export", str(run_folder / "last.ckpt"), str(package), "--figures", str(report)]
    assert main([*again, "--overwrite"]) == 0
    card = (package / "card.md").read_text()
    assert "| letter_error |" in card
    assert json.loads(report.read_text())["signature"] in card


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "produce/nothing"], "produce/toy"),
        (["train", "produce/toy", "--set", "model.dims=3"], "Did you mean `dim`?"),
        (["export", "missing.ckpt", "package"], "missing.ckpt"),
        (["evaluate", "unknown-model"], "unknown-model"),
        (["evaluate", "--words", "1000000"], "1000000"),
        (["evaluate", "--words", "many"], "many"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert message in error
    assert list(tmp_path.iterdir()) == []


def test_figures_of_another_package_are_refused(
    run_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = run_folder.parent / "other.json"
    figures.write_text('{"rows": {"other": {"figures": {}}}}')
    folder = str(run_folder.parent / "produce-other-v1")
    checkpoint = str(run_folder / "last.ckpt")
    assert main(["export", checkpoint, folder, "--figures", str(figures)]) == 2
    assert "must have a row `produce-other-v1`" in capsys.readouterr().err
