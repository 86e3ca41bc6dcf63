"""The same mistakes, made with every command: one line, exit code 2, nothing written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from signloom.poses.pose import Pose
from tests.cli.conftest import Run
from tests.tiny_package import write_tiny_package

TINY = ("--model", "tiny")
PRODUCE = ("produce", "hello")
BATCH = ("produce", "--batch", "texts.txt")
RENDER = ("render", "in.pose")


@pytest.fixture
def inputs(run: Run) -> set[Path]:
    """Good inputs, so that each test has one mistake only."""
    Path("texts.txt").write_text("hello\n")
    assert run("produce", "hello", *TINY, "-o", "in.pose").code == 0
    Path("file").write_text("no folder")
    Path("truncated.pose").write_bytes(Path("in.pose").read_bytes()[:-99])
    Path("empty.pose").touch()
    Path("zero.json").write_text(Path("in.pose").name)
    for name in ("altered", "extra"):
        write_tiny_package(Path(name))
    card = Path("altered/card.md")
    card.write_text(card.read_text() + " ")
    Path("extra/more.txt").touch()
    return set(Path().rglob("*"))


MISTAKES = {
    "empty text": (("produce", "", *TINY, "-o", "x.pose"), "must not be empty"),
    "blank text": (("produce", "  ", *TINY, "-o", "x.pose"), "must not be empty"),
    "empty input": (("produce", "-", *TINY, "-o", "x.pose"), "must not be empty"),
    "nothing left": (("produce", "✓✓", *TINY, "-o", "x.pose"), "Nothing is left"),
    "strict": (("produce", "a ✓", *TINY, "--strict", "-o", "x.pose"), "✓ (CHECK MARK)"),
    "too long": (("produce", "a" * 20_001, *TINY, "-o", "x.pose"), "20000"),
    "unknown suffix": ((*PRODUCE, *TINY, "-o", "x.doc"), ".doc"),
    "no suffix": ((*PRODUCE, *TINY, "-o", "x"), "no suffix"),
    "second output": ((*PRODUCE, *TINY, "-o", "x.pose", "-o", "x.doc"), ".doc"),
    "missing folder": ((*PRODUCE, *TINY, "-o", "no/x.pose"), "does not exist"),
    "output under a file": ((*PRODUCE, *TINY, "-o", "file/x.pose"), "not a folder"),
    "unknown model": ((*PRODUCE, "--model", "no", "-o", "x.pose"), "Known models: "),
    "empty model": ((*PRODUCE, "--model", "", "-o", "x.pose"), "Known models: "),
    "altered model": ((*PRODUCE, "--model", "altered", "-o", "x.pose"), "checksum"),
    "extra file": ((*PRODUCE, "--model", "extra", "-o", "x.pose"), "more.txt"),
    "model is a file": ((*PRODUCE, "--model", "file", "-o", "x.pose"), "Known models: "),
    "two words": (("produce", "a", "b", *TINY), "needs quotes"),
    "leading dash": (("produce", "-ab", *TINY), "needs -- before it"),
    "leading option": (("produce", "-hello", *TINY), "needs -- before it"),
    "idle overwrite": ((*PRODUCE, *TINY, "-o", "x.pose", "--overwrite"), "--overwrite must go"),
    "idle format": ((*PRODUCE, *TINY, "--json", "--format", "gif"), "--format must go"),
    "unknown format": ((*PRODUCE, *TINY, "--format", "doc"), ".doc"),
    "batch and text": ((*BATCH, "out", "hello"), "--batch"),
    "batch and output": ((*BATCH, "out", "-o", "x.pose"), "--batch"),
    "batch format": ((*BATCH, "out", *TINY, "--format", "doc"), "doc"),
    "batch file missing": (("produce", "--batch", "no.txt", "out", *TINY), "no.txt"),
    "batch file empty": (("produce", "--batch", "empty.pose", "out", *TINY), "empty"),
    "batch file binary": (("produce", "--batch", "in.pose", "out", *TINY), "UTF-8"),
    "batch into a file": ((*BATCH, "file", *TINY), "is a file"),
    "batch under a file": ((*BATCH, "file/out", *TINY), "is a file"),
    "batch unknown model": ((*BATCH, "out", "--model", "no"), "Known models: "),
    "batch altered model": ((*BATCH, "out", "--model", "altered"), "checksum"),
    "render nothing": (RENDER, "output is needed"),
    "render suffix": ((*RENDER, "x.doc"), ".doc"),
    "render second": ((*RENDER, "x.gif", "-o", "x.doc"), ".doc"),
    "render folder": ((*RENDER, "no/x.gif"), "does not exist"),
    "render missing": (("render", "no.pose", "x.gif"), "no.pose"),
    "render input suffix": (("render", "file", "x.gif"), "no suffix"),
    "render truncated": (("render", "truncated.pose", "x.gif"), "truncated.pose"),
    "render empty": (("render", "empty.pose", "x.gif"), "empty.pose"),
    "render no json": (("render", "zero.json", "x.gif"), "JSON"),
    "show unknown": (("models", "show", "no"), "Known models: "),
    "show altered": (("models", "show", "altered"), "checksum"),
    "show extra": (("models", "show", "extra"), "more.txt"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_and_nothing_is_written(
    run: Run, inputs: set[Path], mistake: str
) -> None:
    arguments, claim = MISTAKES[mistake]
    done = run(*arguments)
    assert done.code == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("error: ")
    assert claim in done.stderr
    assert set(Path().rglob("*")) == inputs


@pytest.mark.parametrize(
    "arguments",
    [
        ("dance",),
        ("produce", "a", "b"),
        ("produce", "a", "--no-such-option"),
        ("produce", "--batch", "texts.txt"),
        ("render",),
        ("models", "show"),
        ("models", "burn"),
    ],
)
def test_a_wrong_use_is_exit_2_without_a_trace(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_a_text_on_the_command_line_that_is_no_unicode_is_refused(run: Run) -> None:
    done = run("produce", "a\udcff", *TINY, "-o", "x.pose")
    assert done.code == 2
    assert "valid Unicode" in done.stderr


def test_input_that_is_no_utf8_is_refused(run: Run) -> None:
    done = run("produce", *TINY, "-o", "x.pose", stdin=b"\xff\xfe")
    assert done.code == 2
    assert "UTF-8" in done.stderr


def test_endless_input_is_refused(run: Run) -> None:
    done = run("produce", *TINY, "-o", "x.pose", stdin=b"a" * 200_000)
    assert done.code == 2
    assert "at most 20000" in done.stderr


def test_a_pose_without_frames_or_with_nan_is_refused(run: Run, inputs: set[Path]) -> None:
    assert run("render", "in.pose", "-o", "in.json").code == 0
    text = Path("in.json").read_text()
    Path("nan.json").write_text(text.replace("0.0,", "NaN,", 1))
    Path("none.json").write_text(text[: text.index('"frames":')] + '"frames":[],"confidence":[]}\n')
    for name in ("nan.json", "none.json"):
        done = run("render", name, "x.gif")
        assert done.code == 2, name
        assert len(done.stderr.splitlines()) == 1
    assert not Path("x.gif").exists()
    assert Pose.load("in.json").num_frames == 35


def test_a_fault_of_ours_keeps_its_trace(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("signloom.cli.single.run_single", fail)
    done = run("produce", "hi", *TINY)
    assert done.code == 1
    assert "Traceback" in done.stderr
    assert "ZeroDivisionError: ours" in done.stderr


def test_an_interrupt_is_exit_130_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("signloom.cli.single.run_single", interrupt)
    done = run("produce", "hi", *TINY)
    assert (done.code, done.stderr) == (130, "interrupted\n")


def test_a_reader_that_goes_away_is_no_trace(models: Path) -> None:
    command = [sys.executable, "-m", "signloom", "models", "list"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"SIGNLOOM_MODELS": str(models), "PYTHONPATH": ":".join(sys.path)},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141
