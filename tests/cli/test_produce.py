"""`signloom produce` writes what was asked for and says what it did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from signloom.poses.pose import Pose
from tests.cli.conftest import Run

TINY = ("--model", "tiny")


def test_a_text_is_written_to_every_output(run: Run) -> None:
    done = run("produce", "hello", *TINY, "-o", "a.pose", "-o", "b.json")
    assert (done.code, done.stdout) == (0, "a.pose\nb.json\n")
    assert "fingerspelling, 1.4 s, by tiny" in done.stderr
    assert Pose.load("a.pose").num_frames == Pose.load("b.json").num_frames == 35


def test_an_output_that_is_named_twice_is_written_and_listed_once(run: Run) -> None:
    done = run("produce", "hi", *TINY, "-o", "a.pose", "-o", "./a.pose")
    assert (done.code, done.stdout) == (0, "a.pose\n")


def test_a_format_is_that_of_the_file_that_the_text_names(run: Run) -> None:
    assert run("produce", "hi", *TINY, "--format", "JSON").stdout == "hi.json\n"


def test_a_text_that_begins_with_a_dash_goes_behind_two(run: Run) -> None:
    done = run("produce", *TINY, "--json", "--", "-hello")
    assert json.loads(done.stdout)["spelled"] == "hello"


@pytest.mark.parametrize("suffix", ["mp4", "gif", "png"])
def test_a_text_is_drawn(run: Run, suffix: str) -> None:
    assert run("produce", "hi", *TINY, "-o", f"a.{suffix}").code == 0
    assert Path(f"a.{suffix}").stat().st_size > 0


def test_the_report_is_the_only_thing_on_standard_output(run: Run) -> None:
    done = run("produce", "Café ✓", *TINY, "--json")
    report = json.loads(done.stdout)
    assert report["kind"] == "fingerspelling"
    assert report["left_out"] == ["✓ (CHECK MARK)"]
    assert report["outputs"] == []
    assert report["spans"][0]["letter"] == "c"
    assert "left out, not in the alphabet: ✓ (CHECK MARK)" in done.stderr
    assert list(Path().iterdir()) == []


def test_the_report_names_the_outputs(run: Run) -> None:
    done = run("produce", "hi", *TINY, "--json", "-o", "x.pose")
    assert json.loads(done.stdout)["outputs"] == ["x.pose"]
    assert Path("x.pose").is_file()


def test_without_an_output_the_text_names_the_file(run: Run) -> None:
    assert run("produce", "New York!", *TINY).stdout == "new-york.pose\n"
    again = run("produce", "new york", *TINY)
    assert (again.code, again.stdout) == (2, "")
    assert "new-york.pose exists already" in again.stderr
    assert run("produce", "new york", *TINY, "--overwrite").code == 0


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_a_text_is_read_from_standard_input(run: Run, arguments: tuple[str, ...]) -> None:
    done = run("produce", *arguments, *TINY, "--json", stdin="Zoë\n".encode())
    assert json.loads(done.stdout)["spelled"] == "zoe"


def test_a_byte_order_mark_is_no_letter(run: Run) -> None:
    done = run("produce", "-", *TINY, "--json", stdin=b"\xef\xbb\xbfhi\r\n")
    assert json.loads(done.stdout)["left_out"] == []


def test_strict_takes_what_leaves_nothing_out(run: Run) -> None:
    assert run("produce", "hello", *TINY, "--strict", "-o", "x.pose").code == 0


def test_notes_go_to_standard_error(run: Run) -> None:
    done = run("produce", "7", *TINY, "-o", "x.pose")
    assert "note: " in done.stderr
    assert "seven" in done.stderr
    assert done.stdout == "x.pose\n"


def test_an_output_is_replaced_whole(run: Run) -> None:
    Path("x.pose").write_text("old")
    assert run("produce", "hi", *TINY, "-o", "x.pose").code == 0
    assert Pose.load("x.pose").num_frames == 14
    assert [path.name for path in Path().iterdir()] == ["x.pose"]


def test_verbose_logs_to_standard_error(run: Run) -> None:
    done = run("-v", "produce", "hi", *TINY, "--json")
    assert json.loads(done.stdout)["spelled"] == "hi"
