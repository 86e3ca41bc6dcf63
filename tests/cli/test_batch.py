"""A batch writes a file a line, goes on where it stopped, and names what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from signloom.poses.pose import Pose
from tests.cli.conftest import Run

TINY = ("--model", "tiny")


def batch(*texts: str) -> tuple[object, ...]:
    Path("texts.txt").write_text("\n".join(texts), encoding="utf-8")
    return ("produce", *TINY, "--batch", "texts.txt", "out")


def test_every_line_gets_a_file(run: Run) -> None:
    texts = [f"{letter}{letter} new york" for letter in "abcdefghijk"]
    done = run(*batch(*texts))
    assert done.code == 0
    assert "11 produced, 0 there already, 0 refused" in done.stderr
    written = [Path(line) for line in done.stdout.splitlines()]
    assert sorted(Path("out").iterdir()) == written
    assert written[2] == Path("out/00003-cc-new-york.pose")
    alone = run("produce", texts[2], *TINY, "-o", "alone.pose")
    assert alone.code == 0
    assert Pose.load("alone.pose").num_frames == Pose.load(written[2]).num_frames


def test_refused_lines_are_named_and_the_rest_is_done(run: Run) -> None:
    done = run(*batch("hello", "", "✓", "a" * 20_001, "world"), "--json")
    assert done.code == 3
    summary = json.loads(done.stdout)
    assert [item["line"] for item in summary["produced"]] == [1, 5]
    assert [item["line"] for item in summary["refused"]] == [3, 4]
    assert "at most 20000" in summary["refused"][1]["reason"]
    assert summary["kind"] == "fingerspelling"
    assert "refused: line 3: " in done.stderr
    assert len(list(Path("out").iterdir())) == 2


def test_a_second_run_does_only_what_is_missing(run: Run) -> None:
    arguments = batch("hello", "world", "abc")
    assert run(*arguments).code == 0
    Path("out/00002-world.pose").unlink()
    Path("out/00001-hello.pose").write_text("left alone")
    again = run(*arguments, "--json")
    summary = json.loads(again.stdout)
    assert [item["line"] for item in summary["produced"]] == [2]
    assert [item["line"] for item in summary["skipped"]] == [1, 3]
    assert Path("out/00001-hello.pose").read_text() == "left alone"
    assert run(*arguments, "--overwrite").code == 0
    assert Pose.load("out/00001-hello.pose").num_frames == 35


def test_the_lines_come_from_standard_input(run: Run) -> None:
    done = run("produce", *TINY, "--batch", "-", "out", stdin=b"hi\n\nyou\n")
    assert (done.code, done.stdout) == (0, "out/00001-hi.pose\nout/00003-you.pose\n")


@pytest.mark.parametrize("suffix", ["json", ".JSON"])
def test_the_format_is_chosen_with_or_without_its_dot(run: Run, suffix: str) -> None:
    assert run(*batch("hi"), "--format", suffix).code == 0
    assert [path.name for path in Path("out").iterdir()] == ["00001-hi.json"]


def test_strict_refuses_lines_of_which_something_would_be_left_out(run: Run) -> None:
    done = run(*batch("hi", "hi ✓"), "--strict")
    assert done.code == 3
    assert "refused: line 2" in done.stderr


def test_what_is_left_out_is_named_by_line(run: Run) -> None:
    assert (
        "left out of line 2, not in the alphabet: ✓ (CHECK MARK)"
        in run(*batch("hi", "hi ✓")).stderr
    )


def test_long_texts_that_begin_alike_get_names_of_their_own(run: Run) -> None:
    done = run(*batch("abcdefgh " * 9 + "a"))
    assert run(*batch("abcdefgh " * 9 + "b")).code == done.code == 0
    assert len(list(Path("out").iterdir())) == 2


def test_an_output_that_cannot_be_written_refuses_its_line_alone(run: Run) -> None:
    Path("out/00002-bob.pose").mkdir(parents=True)
    done = run(*batch("ada", "bob", "cid"))
    assert done.code == 3
    assert "refused: line 2" in done.stderr
    assert [Path(line).name for line in done.stdout.splitlines()] == [
        "00001-ada.pose",
        "00003-cid.pose",
    ]


def test_a_name_that_is_too_long_is_one_line(run: Run) -> None:
    done = run("produce", "hi", *TINY, "-o", "a" * 300 + ".pose")
    assert done.code == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
