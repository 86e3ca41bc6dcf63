"""`signloom data` of speech: what is bad is one clear line each, and nothing is prepared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.data.speech.small_speech import write_lines, write_speech


def write_corpus(*rows: str) -> None:
    for name in "ab":
        write_speech(Path(f"mine/{name}.wav"))
    write_lines(Path("mine/t.tsv"), "file\ttext\tsplit", *rows)


def test_a_corpus_of_speech_is_validated(run: Run) -> None:
    write_corpus("a\tone\ttrain", "b\ttwo\ttest")
    done = run("data", "validate", "mine", "table")
    assert (done.code, done.stdout) == (0, "no fault in mine, 2 utterances read: train 1, test 1\n")
    assert "remark: mine/t.tsv: test has 2 characters that train lacks: t (1), w (1)" in done.stderr
    write_corpus("a\tone\ttrain", "c\ttwo\ttest")
    done = run("data", "validate", "mine", "table", "--json")
    assert done.code == 2
    document = json.loads(done.stdout)
    assert document["utterances"] == 1
    assert document["faults"][0]["line"] == 3
    assert "names 'c', but mine has no" in document["faults"][0]["message"]


@pytest.mark.parametrize(
    "arguments", [("inspect", "mine", "table"), ("prepare", "table", "mine", "ready")]
)
def test_speech_is_learned_from_where_it_is(run: Run, arguments) -> None:
    write_corpus("a\tone\ttrain")
    done = run("data", *arguments)
    assert (done.code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "reads speech, to be learned from where it is" in done.stderr


def test_speech_readers_are_listed(run: Run) -> None:
    listed = {item["name"]: item for item in json.loads(run("data", "readers", "--json").stdout)}
    assert listed["table"]["kind"] == "speech"
    assert listed["table"]["options"]["file"] == "file"
    assert listed["aishell1"]["spoken_language"] == "zh"
