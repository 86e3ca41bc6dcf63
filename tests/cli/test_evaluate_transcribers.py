"""Transcribers are evaluated from the command line, on strings of digits and on recordings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.small_digits import write_digits
from tests.small_sounds import write_recording
from tests.tiny_transcriber import RATE, spoken, write_tiny_transcriber

ROWS = ("one two", "two one two", "one three")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("transcribers")
    write_tiny_transcriber(folder / "ear")
    write_tiny_transcriber(folder / "other", unit="characters")
    write_digits(folder / "digits", speakers=("ann",), takes=(1, 6, 20))
    (folder / "spoken").mkdir()
    lines = ["file\ttext\tsplit"]
    for place, text in enumerate(ROWS):
        write_recording(folder / f"spoken/{place}.wav", spoken(*text.split()), RATE)
        lines.append(f"{place}.wav\t{text}\ttest")
    (folder / "spoken/all.tsv").write_text("\n".join(lines) + "\n")
    return folder


def test_recordings_that_a_reader_lists_are_heard(run: Run, folder: Path) -> None:
    corpus = ("--corpus", folder / "spoken", "--reader", "table")
    outcome = run("evaluate", folder / "ear", *corpus, "--json", "-o", "report.json")
    assert (outcome.code, outcome.stderr) == (0, "wrote report.json\n")
    document = json.loads(outcome.stdout)
    assert document == json.loads(Path("report.json").read_text())
    assert document["signature"].startswith("corpus:table|split:test|utterances:3|data:")
    figures = document["rows"]["ear"]["figures"]
    # `three` is mended to `two`, and was said.
    assert figures["error"]["value"] == pytest.approx(100 / 7, abs=1e-4)
    assert figures["ctc_error"]["value"] == 0
    assert figures["reduction"] == {"value": None, "low": None, "high": None}
    unrefined = run("evaluate", folder / "ear", *corpus, "--iterations", 0, "--json")
    assert json.loads(unrefined.stdout)["rows"]["ear"]["figures"]["error"]["value"] == 0


def test_strings_of_digits_are_joined_and_heard(run: Run, folder: Path) -> None:
    corpus = ("--corpus", folder / "digits", "--reader", "fsdd-strings")
    outcome = run("evaluate", folder / "ear", *corpus, "--option", "num_test=3")
    assert outcome.code == 0
    assert "corpus:fsdd-strings|split:test|utterances:3" in "".join(outcome.stdout.split())
    for title in ("error %", "CTC alone, error %", "CERR %", "RTF", "silence, tokens"):
        assert title in outcome.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ear"], "A transcriber must be given speech"),
        (["ear", "--corpus", "digits"], "Name a corpus: --corpus DIR --reader NAME"),
        (["ear", "--reader", "table"], "A transcriber must be given speech"),
        (["ear", "--corpus", "spoken", "--reader", "tables"], "Did you mean `table`?"),
        (["ear", "--corpus", "spoken", "--reader", "table", "--split", "dev"], "at least 2 utter"),
        (["ear", "--corpus", "spoken", "--reader", "table", "--split", "x"], "train, dev, test"),
        (["ear", "--corpus", "spoken", "--reader", "csl"], "csl"),
        (["ear", "--corpus", "spoken", "--reader", "fsdd-strings"], "such as 7_jackson_32.wav"),
        (
            ["ear", "--corpus", "digits", "--reader", "fsdd-strings", "--option", "takes=1"],
            "has no option `takes`",
        ),
        (
            ["ear", "--corpus", "digits", "--reader", "fsdd-strings", "--option", "seed=-1"],
            "`corpus.seed` must be at least 0",
        ),
        (
            ["ear", "other", "--corpus", "spoken", "--reader", "table"],
            "ear writes words of en and other writes characters of en",
        ),
        (["ear", "--iterations", "101"], "`iterations` must be 0 to 100, but is 101"),
        (["ear", "--beam", "3"], "--beam is for models of the system `translate`"),
        (["ear", "--judge", "tiny"], "--judge is for models of the system `produce`"),
        (["ear", "--language", "ase"], "--language is a sign language"),
        (["tiny", "--iterations", "3"], "--iterations is for models of the system `transcribe`"),
        (["ear", "ear"], "two are called ear"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_nothing(
    run: Run, folder: Path, arguments: list[str], message: str
) -> None:
    own = {path.name: str(path) for path in folder.iterdir()}
    outcome = run("evaluate", *(own.get(argument, argument) for argument in arguments))
    assert outcome.code == 2
    assert outcome.stderr.count("\n") == 1
    assert message in outcome.stderr
    assert list(Path().iterdir()) == []
