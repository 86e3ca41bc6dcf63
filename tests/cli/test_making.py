"""Train, export and evaluate from the command line, and the mistakes that they refuse."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from signloom.cli.app import main
from signloom.export.card import Origin, card_of, read_figures
from signloom.training.recipe import recipe_names
from signloom.training.restore import restore

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
    assert 0 < exported["megabytes"] < 50
    report = run_folder.parent / "report.json"
    command = ["evaluate", str(package), "--words", "5", "--doubled", "2", "-o", str(report)]
    assert main(command) == 0
    printed = capsys.readouterr()
    assert "letter error %" in printed.out
    assert "produce-mine-v1: letter_error must be <= 2" in printed.err
    trained = restore(run_folder / "last.ckpt")
    card = card_of(
        "produce-mine-v1",
        system="produce",
        task=trained.task,
        origin=Origin(recipe=trained.recipe.name, step=trained.step, figures=read_figures(report)),
    )
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
        (["evaluate", "--words", "1"], "`words` must be at least 2, but is 1."),
        (["evaluate", "--doubled", "-1"], "`doubled` must be at least 0, but is -1."),
        (["evaluate", "--words", "5", "--doubled", "6"], "`doubled` must be at most `words`, 5"),
        (["evaluate", "--seed", "-1"], "`seed` must be at least 0, but is -1."),
        (["evaluate", "-o", "nowhere/report.json"], "nowhere does not exist"),
        (["evaluate", "-o", "."], "is a folder"),
        (["export", "missing.ckpt", "."], "exists already"),
        (["export", "missing.ckpt", "über-v1.zip"], "The name of a package must be"),
        (["export", "missing.ckpt", "my model"], "The name of a package must be"),
        (["train", "produce/toy", "--set", "training.steps=0"], "`training.steps` must be"),
        (["train", "produce/toy", "--set", "task.texts=['']"], "`task.texts` must be"),
        (["train", "produce/toy", "--set", "task.texts=[ж]"], "`task.texts` must be"),
        (["train", "produce/toy", "--set", "model.max_frames=8"], "`model.max_frames` must be"),
        (["train", "produce/toy", "--set", "model.levels=[97, 89, 83]"], "must begin together"),
        (["train", "produce/toy", "--set", "corpus.lexicon=none"], "`corpus.lexicon` must be"),
        (["train", "produce/toy", "--set", "training.accelerator=mps"], "has no `mps`"),
        (["train", "produce/toy", "--out", "/dev/null/run"], "/dev/null is no folder"),
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


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("last.ckpt", b"junk", "cannot be read as one"),
        ("last.ckpt", None, "cannot be read as one"),
        ("recipe.yaml", b"\xff", "UTF-8"),
        ("curve.jsonl", b"[]\n[]\n", "line 1 must be a JSON object"),
        ("curve.jsonl", b"\xff", "curve.jsonl must be a curve"),
    ],
)
def test_a_damaged_run_is_not_resumed(
    run_folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes | None,
    message: str,
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run_folder, folder)
    (folder / name).unlink()
    if content is None:
        (folder / name).mkdir()
    else:
        (folder / name).write_bytes(content)
    command = ["train", "produce/toy", "--set", "training.steps=3", "--out", str(folder)]
    assert main([*command, "--resume"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error


def test_a_loss_that_is_not_finite_ends_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rates = ["--set", "training.lr_max=1.0e+30", "--set", "training.lr_min=1.0e+30"]
    assert main(["train", "produce/toy", *rates, "--out", str(tmp_path / "run")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("error: The loss must be finite")
    assert not any("Warning" in line for line in lines)


@pytest.mark.parametrize(
    "content",
    [
        '{"rows": []}',
        '{"rows": {"a": 3}}',
        '{"rows": {"a": {"figures": {"x": "high"}}}}',
        '{"rows": {"a": {"figures": {"x": {"value": 1}}}}}',
        "[" * 100_000,
    ],
)
def test_figures_of_another_shape_are_refused(
    run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    (tmp_path / "figures.json").write_text(content)
    command = ["export", str(run_folder / "last.ckpt"), str(tmp_path / "package")]
    assert main([*command, "--figures", str(tmp_path / "figures.json")]) == 2
    error = capsys.readouterr().err
    assert "figures.json" in error
    assert error.count("\n") == 1


def test_figures_of_another_package_are_refused(
    run_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = run_folder.parent / "other.json"
    figures.write_text('{"rows": {"other": {"figures": {}}}}')
    folder = str(run_folder.parent / "produce-other-v1")
    checkpoint = str(run_folder / "last.ckpt")
    assert main(["export", checkpoint, folder, "--figures", str(figures)]) == 2
    assert "must have a row `produce-other-v1`" in capsys.readouterr().err


def test_models_without_a_search_cannot_be_tuned(
    run_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run_folder.parent / "produce-tuned-v1"
    assert main(["export", str(run_folder / "last.ckpt"), str(folder), "--tune"]) == 2
    assert (
        "--tune is for models of the systems translate, caption, transcribe"
        in capsys.readouterr().err
    )
    assert not folder.exists()
