"""`signloom data` of captioned pictures: what is bad is one clear line each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.data.captions.small_captions import write_picture
from tests.data.speech.small_speech import write_lines


def write_corpus(*rows: str) -> None:
    for name in "ab":
        write_picture(Path(f"mine/{name}.png"))
    write_lines(Path("mine/t.csv"), "image,caption,split", *rows)


def test_captioned_pictures_are_validated(run: Run) -> None:
    write_corpus("a.png,A cat.,train", "b.png,A dog.,test", "b.png,Dogs.,test")
    done = run("data", "validate", "mine", "captions")
    assert (done.code, done.stdout) == (0, "no fault in mine, 2 pictures read: train 1, test 1\n")
    write_corpus("a.png,A cat.,train", "c.png,A dog.,test")
    done = run("data", "validate", "mine", "captions", "--json")
    assert done.code == 2
    document = json.loads(done.stdout)
    assert document["pictures"] == 1
    assert document["faults"][0]["line"] == 3
    assert "names 'c', but mine has no" in document["faults"][0]["message"]


@pytest.mark.parametrize(
    "arguments", [("inspect", "mine", "captions"), ("prepare", "captions", "mine", "ready")]
)
def test_pictures_are_learned_from_where_they_are(run: Run, arguments) -> None:
    write_corpus("a.png,A cat.,train")
    done = run("data", *arguments)
    assert (done.code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "reads pictures, to be learned from where it is" in done.stderr


def test_readers_of_captions_are_listed(run: Run) -> None:
    listed = {item["name"]: item for item in json.loads(run("data", "readers", "--json").stdout)}
    assert listed["captions"]["kind"] == "captions"
    assert listed["captions"]["options"]["caption"] == "caption"
    assert listed["flickr8k"]["spoken_language"] == "en"
    assert "captions, text en" in run("data", "readers").stdout
