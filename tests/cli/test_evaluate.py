"""Translators are evaluated from the command line, and mistakes are refused in one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.tiny_translator import write_tiny_translator

pytest.importorskip("sacrebleu")
GLOSSES = "NORD REGEN ABEND SONNE\nSONNE MORGEN\nREGEN REGEN NORD\n"
SENTENCES = "nord regen abend sonne\nsonne morgen .\nregen regen nord\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("translators")
    write_tiny_translator(folder / "one", beam=2)
    shutil.copytree(folder / "one", folder / "two")
    write_tiny_translator(folder / "speller", source="poses")
    (folder / "test.gloss").write_text(GLOSSES)
    (folder / "test.de").write_text(SENTENCES)
    return folder


@pytest.fixture
def files(folder: Path) -> list[str]:
    return ["--source", str(folder / "test.gloss"), "--target", str(folder / "test.de")]


def test_models_and_their_ensemble_are_rows_of_one_report(run, folder: Path, files) -> None:
    models = [folder / "one", folder / "two"]
    wanted = ["--ensemble", "--samples", "2", "--length-penalty", "0.4", "--json"]
    outcome = run("evaluate", *models, *files, *wanted, "-o", "report.json", "--plot", "plot.svg")
    assert outcome.code == 0
    document = json.loads(outcome.stdout)
    assert document == json.loads(Path("report.json").read_text())
    assert list(document["rows"]) == ["one", "two", "ensemble"]
    figures = {name: row["figures"] for name, row in document["rows"].items()}
    assert [row["members"] for row in figures.values()] == [2, 2, 4]
    assert {row["beam"] for row in figures.values()} == {2}
    assert {row["length_penalty"] for row in figures.values()} == {0.4}
    assert figures["one"]["wer"] == pytest.approx(100 / 10)
    assert figures["two"]["difference"] == {"value": 0, "low": 0, "high": 0}
    assert Path("plot.svg").read_text().startswith("<?xml")
    assert "wrote report.json" in outcome.stderr


def test_the_table_holds_the_figures_and_the_whole_signature(run, folder: Path, files) -> None:
    outcome = run("evaluate", folder / "one", *files)
    assert outcome.code == 0
    assert "BLEU-4" in outcome.stdout
    signature = "".join(outcome.stdout.split())
    assert "|tok:none|" in signature
    assert "|tok:13a|" in signature


def test_a_speller_reads_words_of_the_language_asked_for(run, folder: Path) -> None:
    options = ["--language", "ase", "--words", "5", "--doubled", "2"]
    outcome = run("evaluate", folder / "speller", *options, "--plot", "plot.png")
    assert outcome.code == 0
    assert "held still, letter error %" in outcome.stdout
    assert "speller: letter_error must be <= 1, but is" in outcome.stderr
    assert Path("plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one", "tiny"], "one is one of `translate`"),
        (["tiny", "one"], "tiny is one of `produce`"),
        (["tiny", "--samples", "3"], "--samples is for models of the system `translate`"),
        (["--length-penalty", "1"], "but the default model is none"),
        (["one", "--judge", "tiny"], "--judge is for models of the system `produce`"),
        (["one"], "Give it sentences: --source FILE"),
        (["one", "--target", "test.de"], "Add --source FILE"),
        (["one", "--source", "test.gloss"], "Add --target FILE"),
        (["one", "--source", "test.gloss", "--target", "missing"], "missing must be a text file"),
        (["one", "--source", "test.gloss", "--language", "ase"], "must be gsg, which one reads"),
        (["one", "one", "--ensemble"], "two are called one"),
        (["one", "--ensemble"], "at least 2 models"),
        (["speller", "one", "--ensemble"], "Give it sentences: --source FILE"),
        (["one", "--plot", "plot.gif"], "must end in .png or .svg"),
        (["one", "--beam", "0"], "`beam` must be 1 to 64, but is 0"),
        (["one", "--length-penalty", "nan"], "`length_penalty` must be 0 to 10, but is nan"),
        (["one", "--seed", "-1"], "`seed` must be at least 0, but is -1"),
        (["speller", "--language", "bzs"], "one of ase, gsg"),
        (["speller", "--words", "1"], "`words` must be at least 2"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_nothing(
    run, folder: Path, arguments: list[str], message: str
) -> None:
    own = {path.name: str(path) for path in folder.iterdir()}
    outcome = run("evaluate", *(own.get(argument, argument) for argument in arguments))
    assert outcome.code == 2
    assert outcome.stderr.count("\n") == 1
    assert message in outcome.stderr
    assert list(Path().iterdir()) == []


def test_what_the_models_cannot_do_is_refused_though_the_files_hold(
    run, folder: Path, files
) -> None:
    for options, message in (
        (["--samples", "65"], "`samples` must be 0 to 64, but is 65"),
        ([folder / "speller", "--ensemble"], "features to be read by speller"),
    ):
        outcome = run("evaluate", folder / "one", *options, *files)
        assert outcome.code == 2
        assert outcome.stderr.count("\n") == 1
        assert message in outcome.stderr
