"""`signloom transcribe` tells what is said in each recording, and names what it cannot hear."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.cli.conftest import Outcome, Run
from tests.small_sounds import write_recording
from tests.tiny_transcriber import RATE, spoken, write_tiny_transcriber

Command = tuple[object, ...]
NOTHING = "Nothing is heard: there is no speech in it, or only steady noise."


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("transcribers")
    write_tiny_transcriber(folder / "ear")
    (folder / "sounds").mkdir()
    pause = np.zeros(RATE, np.float32)
    long = np.concatenate([spoken("one", "three"), pause, spoken("two", "five", "one")])
    write_recording(folder / "sounds/a.wav", long, RATE)
    write_recording(folder / "sounds/b.flac", pause, RATE, codec="flac")
    (folder / "sounds/c.wav").write_bytes(b"no sound at all")
    write_recording(folder / "sounds/d.wav", spoken("two"), RATE)
    return folder


@pytest.fixture
def ear(run: Run, packages: Path) -> Command:
    """Give a command that transcribes, and a folder: words, silence, no sound, a word."""
    shutil.copytree(packages / "sounds", "sounds")
    return ("transcribe", "--model", packages / "ear")


def is_one_line(done: Outcome) -> bool:
    return done.code == 2 and done.stderr.count("\n") == 1 and not done.stdout


def test_one_recording_gives_one_line(run: Run, ear: Command) -> None:
    done = run(*ear, "sounds/a.wav")
    assert (done.code, done.stdout) == (0, "one two two five one\n")
    assert done.stderr == "speech, en, by ear\n"
    assert run(*ear, "sounds/a.wav", "--iterations", 0).stdout == "one three two five one\n"


def test_of_a_folder_the_bad_file_is_named_and_the_rest_is_done(run: Run, ear: Command) -> None:
    done = run(*ear, "sounds", "sounds/d.wav")
    lines = ["sounds/a.wav\tone two two five one", "sounds/b.flac\t", "sounds/d.wav\ttwo", ""]
    assert (done.code, done.stdout) == (3, "\n".join(lines))
    assert "refused: sounds/c.wav must be a recording of sound" in done.stderr
    assert f"note: sounds/b.flac: {NOTHING}" in done.stderr
    assert "3 transcribed, 1 refused" in done.stderr
    report = json.loads(run(*ear, "sounds", "--json").stdout)
    assert [item["name"][-5:] for item in report] == ["a.wav", ".flac", "c.wav", "d.wav"]
    assert "sounds/c.wav" in report[2]["refused"]


def test_the_report_says_what_when_and_how_sure(run: Run, ear: Command) -> None:
    [item] = json.loads(run(*ear, "sounds/a.wav", "--json").stdout)
    assert (item["text"], item["ctc_text"]) == ("one two two five one", "one three two five one")
    assert (item["kind"], item["spoken_language"], item["unit"]) == ("speech", "en", "words")
    assert [span["token"] for span in item["spans"]] == item["tokens"]
    assert (item["num_passages"], item["duration_s"]) == (2, 2.7)
    assert (item["model"]["name"], len(item["model"]["id"])) == ("ear", 64)
    assert item["confidence"] > 0.9


def test_subtitles_and_a_timeline_are_written_beside(run: Run, ear: Command) -> None:
    done = run(*ear, "sounds/a.wav", "--subtitle", "x.srt", "--timeline", "x.png")
    assert (done.code, done.stdout) == (0, "one two two five one\n")
    assert "note: subtitles in x.srt\nnote: timeline in x.png\n" in done.stderr
    lines = Path("x.srt").read_text().splitlines()
    assert lines[2::4] == ["one two", "two five one"]
    with Image.open("x.png") as picture:
        assert picture.width > picture.height
    for inputs in (("sounds",), ("sounds/a.wav", "sounds/d.wav")):
        done = run(*ear, *inputs, "--subtitle", "y.vtt")
        assert "--subtitle and --timeline are of one recording" in done.stderr
        assert (done.code, Path("y.vtt").exists()) == (2, False)


def test_silence_is_an_empty_text_that_says_so(run: Run, ear: Command) -> None:
    done = run(*ear, "sounds/b.flac", "--subtitle", "x.vtt")
    assert (done.code, done.stdout) == (0, "\n")
    assert f"note: {NOTHING}" in done.stderr
    assert Path("x.vtt").read_text().startswith("WEBVTT")


def test_sound_of_another_rate_is_heard_with_a_warning_where_it_lacks_something(
    run: Run, ear: Command
) -> None:
    for rate, warns in ((4000, True), (44_100, False)):
        write_recording(Path("x.wav"), spoken("one", "two", rate=rate), rate)
        done = run(*ear, "x.wav")
        assert (done.code, done.stdout) == (0, "one two\n")
        assert ("x.wav was recorded at 4000 Hz and is read at 8000" in done.stderr) is warns


MISTAKES: dict[str, tuple[Command, str]] = {
    "no input": ((), "Either AUDIO or --microphone must be given, but neither is"),
    "both inputs": (("sounds", "--microphone", 0), "but both are"),
    "seconds without a microphone": (
        ("sounds/a.wav", "--seconds", 3),
        "--seconds goes with --mic",
    ),
    "no time": (("--microphone", 0, "--seconds", 0), "`seconds` must be above 0"),
    "a microphone that is not there": (("--microphone", 99), "Microphone 99 must be there, but"),
    "a missing file": (("no.wav",), "no.wav cannot be read: No such file"),
    "no sound": (("sounds/c.wav",), "must be a recording of sound, but is none"),
    "a file of nothing": (("empty.wav",), "must be a recording of sound, but it is empty"),
    "no sample": (("none.wav",), "none.wav must have a sample that can be decoded, but has none"),
    "no numbers": (("nan.wav",), "nan.wav must hold finite samples from -1 to 1, but at 0.5000 s"),
    "an empty folder": (("empty",), "empty must hold sound (.wav"),
    "too many passes": (("sounds/a.wav", "--iterations", 101), "`iterations` must be 0 to 100"),
    "no pass": (("sounds/a.wav", "--iterations", -1), "`iterations` must be 0 to 100, but is -1"),
    "no thread": (("sounds/a.wav", "--threads", 0), "--threads must be 1 to"),
    "no subtitles": (("sounds/a.wav", "--subtitle", "x.txt"), "must end in .srt or .vtt"),
    "itself": (("sounds/a.wav", "-o", "sounds/../sounds/a.wav"), "must not overwrite what it is"),
    "one of a folder": (("sounds", "-o", "sounds/b.flac"), "sounds/b.flac is read as well"),
    "subtitles over sound": (("a.srt", "--subtitle", "a.srt"), "a.srt is read as well. Write to"),
    "two in one": (("sounds/a.wav", "--subtitle", "x.srt", "-o", "./x.srt"), "two go to x.srt"),
    "an output's folder": (("sounds/a.wav", "-o", "no/x.txt"), "does not exist"),
    "an unknown model": (("sounds/a.wav", "--model", "no"), "Known models: "),
    "another system": (("sounds/a.wav", "--model", "tiny"), "one of the system `transcribe`, but"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line(run: Run, ear: Command, mistake: str) -> None:
    arguments, message = MISTAKES[mistake]
    Path("empty").mkdir()
    Path("empty.wav").touch()
    shutil.copy("sounds/a.wav", "a.srt")
    write_recording(Path("none.wav"), np.zeros(0), RATE)
    samples = spoken("one", "two")
    samples[RATE // 2] = np.nan
    write_recording(Path("nan.wav"), samples, RATE, codec="pcm_f32le", sample_format="flt")
    done = run(*ear, *arguments)
    assert is_one_line(done), done.stderr
    assert message in done.stderr
    assert Path("a.srt").read_bytes() == Path("sounds/a.wav").read_bytes()


def test_one_sample_is_too_short_to_be_heard(run: Run, ear: Command) -> None:
    write_recording(Path("x.wav"), np.full(1, 0.5), RATE)
    done = run(*ear, "x.wav")
    assert (done.code, done.stdout) == (0, "\n")
    assert "note: The recording is too short to be heard: 1 samples." in done.stderr


def test_what_is_said_is_spelled(run: Run, packages: Path) -> None:
    shutil.copytree(packages / "sounds", "sounds")
    hear = ("produce", "--model", "tiny", "--audio-model", packages / "ear", "--audio")
    done = run(*hear, "sounds/d.wav", "-o", "x.pose")
    assert (done.code, done.stdout) == (0, "x.pose\n")
    assert "heard: two\n" in done.stderr
    [report, report_of_text] = (
        json.loads(run(*arguments, "--json").stdout)
        for arguments in ((*hear, "sounds/d.wav"), ("produce", "--model", "tiny", "two"))
    )
    assert report == report_of_text
    done = run(*hear, "sounds/b.flac")
    assert is_one_line(done)
    assert f"sounds/b.flac must hold words to be spelled. {NOTHING}" in done.stderr
    for arguments in (("two",), ("--batch", "x.txt", "out")):
        done = run(*hear, "sounds/d.wav", *arguments)
        assert is_one_line(done)
        assert "--audio must stand in place of the text" in done.stderr
    done = run("produce", "two", "--audio-model", packages / "ear")
    assert is_one_line(done)
    assert "--audio-model must go with --audio FILE" in done.stderr
