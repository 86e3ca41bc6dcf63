"""`signloom recognize` tells what is signed in each input, and names what it cannot read."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from signloom.poses.formats import many
from signloom.poses.formats.recording import Recording
from signloom.poses.pose import Pose
from tests.cli.conftest import Outcome, Run
from tests.small_films import write_film
from tests.tiny_recognizers import (
    film_of,
    write_pictures,
    write_tiny_reader,
    write_tiny_watcher,
)
from tests.tiny_translator import spelled


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recognizers")
    write_tiny_reader(folder / "reader")
    write_tiny_watcher(folder / "watcher")
    (folder / "poses").mkdir()
    spelled("cab").save(folder / "poses/a.pose")
    spelled("bad").save(folder / "poses/c.json")
    (folder / "poses/b.pose").write_bytes((folder / "poses/a.pose").read_bytes()[:-99])
    return folder


@pytest.fixture
def reader(run: Run, packages: Path) -> tuple[object, ...]:
    """Give a command that reads poses, and three of them: two good, one damaged."""
    shutil.copytree(packages / "poses", "poses")
    return ("recognize", "--model", packages / "reader")


@pytest.fixture
def watcher(packages: Path) -> tuple[object, ...]:
    return ("recognize", "--model", packages / "watcher")


def is_one_line(done: Outcome) -> bool:
    return done.code == 2 and done.stderr.count("\n") == 1 and not done.stdout


def test_one_pose_gives_one_line(run: Run, reader: tuple[object, ...]) -> None:
    done = run(*reader, "poses/a.pose")
    assert (done.code, done.stdout) == (0, "cab\n")
    assert done.stderr == "fingerspelling, ase, by reader\n"


def test_of_a_folder_the_bad_file_is_named_and_the_rest_is_done(
    run: Run, reader: tuple[object, ...]
) -> None:
    done = run(*reader, "poses", "poses/a.pose")
    assert (done.code, done.stdout) == (3, "poses/a.pose\tcab\nposes/c.json\tbad\n")
    assert "refused: poses/b.pose" in done.stderr
    assert "2 recognized, 1 refused" in done.stderr
    report = json.loads(run(*reader, "poses", "--json").stdout)
    assert [item["name"] for item in report] == ["poses/a.pose", "poses/b.pose", "poses/c.json"]
    assert "poses/b.pose" in report[1]["refused"]


def test_more_inputs_than_a_group_come_in_their_order(run: Run, reader: tuple[object, ...]) -> None:
    words = [*"abcdabcdabcdabcd", "ba"]
    many.write_all([Recording("", spelled(word)) for word in words], Path("x.skels"))
    done = run(*reader, "x.skels")
    assert done.stdout.splitlines() == [f"x.skels:{n}\t{word}" for n, word in enumerate(words, 1)]


def test_the_report_says_what_when_and_how_sure(run: Run, reader: tuple[object, ...]) -> None:
    [item] = json.loads(run(*reader, "poses/a.pose", "--json", "--best", 2).stdout)
    assert (item["text"], item["kind"], item["language"]) == ("cab", "fingerspelling", "ase")
    assert [span["token"] for span in item["spans"]] == ["c", "a", "b"]
    assert item["spans"][0]["start_s"] == 0.28  # after a rest of seven frames
    assert item["text"] == item["best"][0]["text"] != item["best"][1]["text"]
    assert (item["model"]["name"], len(item["model"]["id"])) == ("reader", 64)
    assert item["confidence"] > 0.9
    [item] = json.loads(run(*reader, "poses/a.pose", "--json", "--beam", 5).stdout)
    assert (item["beam"], len(item["best"])) == (5, 1)


def test_films_are_looked_at_by_a_model_of_pictures(run: Run, watcher: tuple[object, ...]) -> None:
    write_film(Path("a.mp4"), film_of(0, 2, 0, 1))
    write_pictures(Path("films/frames"), film_of(3, 0, 3))
    assert run(*watcher, "a.mp4").stdout == "SUN RAIN\n"
    assert run(*watcher, "films/frames").stdout == "NORTH NORTH\n"
    done = run(*watcher, "films", "a.mp4")
    assert (done.code, done.stdout) == (0, "films/frames\tNORTH NORTH\na.mp4\tSUN RAIN\n")
    spelled("a").save("x.pose")
    done = run(*watcher, "x.pose")
    assert is_one_line(done)
    assert "looks at pictures, but x.pose holds poses" in done.stderr


def test_subtitles_and_a_timeline_are_written_beside(run: Run, watcher: tuple[object, ...]) -> None:
    write_pictures(Path("frames"), film_of(0, 2, 0, 1, frames=5))
    for subtitle, timeline in (("x.srt", "x.png"), ("x.vtt", "x.svg")):
        done = run(*watcher, "frames", "--subtitle", subtitle, "--timeline", timeline)
        assert (done.code, done.stdout) == (0, "SUN RAIN\n")
        assert f"note: subtitles in {subtitle}\nnote: timeline in {timeline}\n" in done.stderr
    lines = Path("x.srt").read_text().splitlines()
    assert lines[:3] == ["1", "00:00:00,200 --> 00:00:00,600", "SUN"]
    assert Path("x.vtt").read_text().startswith("WEBVTT")
    with Image.open("x.png") as picture:
        assert picture.width > picture.height
    assert ">SUN</text>" in Path("x.svg").read_text()


def test_subtitles_are_of_one_recording(run: Run, reader: tuple[object, ...]) -> None:
    many.write_all([Recording("", spelled("a"))] * 2, Path("x.skels"))
    for inputs in (("poses",), ("poses/a.pose", "poses/c.json"), ("x.skels",)):
        done = run(*reader, *inputs, "--subtitle", "x.srt")
        assert (done.code, done.stdout) == (2, "")
        assert "--subtitle and --timeline are of one recording" in done.stderr
        assert not Path("x.srt").exists()


def test_nobody_and_nothing_are_empty_results_that_say_so(
    run: Run, reader: tuple[object, ...], watcher: tuple[object, ...]
) -> None:
    pose = spelled("abc")
    Pose(pose.frames, np.zeros_like(pose.confidence)).save("nobody.pose")
    done = run(*reader, "nobody.pose", "--subtitle", "x.srt", "--timeline", "x.png")
    assert (done.code, done.stdout) == (0, "\n")
    assert "note: Nobody is seen" in done.stderr
    assert Path("x.png").exists()
    [item] = json.loads(run(*reader, "nobody.pose", "--json").stdout)
    assert (item["text"], item["spans"], item["confidence"]) == ("", [], 0)
    assert "Nobody is seen" in item["warnings"][0]
    write_film(Path("dark.mp4"), film_of(0, 0))
    done = run(*watcher, "dark.mp4")
    assert (done.code, done.stdout) == (0, "\n")
    assert "note: Nothing is read: the model sees no glosses in it." in done.stderr


def test_an_uncertain_reading_is_noted(run: Run, watcher: tuple[object, ...]) -> None:
    film = film_of(2)
    film[:] = 125  # between two glosses, and so hardly less sure than one half
    write_pictures(Path("frames"), film)
    done = run(*watcher, "frames")
    assert (done.code, done.stdout) == (0, "SUN\n")
    assert "note: uncertain: confidence 0.50 is below 0.5" in done.stderr


def test_the_output_may_be_a_file_of_texts_or_a_report(
    run: Run, reader: tuple[object, ...]
) -> None:
    done = run(*reader, "poses/a.pose", "-o", "x.txt")
    assert (done.code, done.stdout, Path("x.txt").read_text()) == (0, "x.txt\n", "cab\n")
    assert run(*reader, "poses/a.pose", "-o", "x.json", "--best", 2).code == 0
    [item] = json.loads(Path("x.json").read_text())
    assert (item["text"], len(item["best"])) == ("cab", 2)


MISTAKES: dict[str, tuple[tuple[object, ...], str]] = {
    "no input": ((), "Either INPUT or --camera must be given, but neither is"),
    "both inputs": (("poses", "--camera", 0), "but both are"),
    "seconds without a camera": (("poses/a.pose", "--seconds", 3), "--seconds goes with --camera"),
    "no time": (("--camera", 0, "--seconds", 0), "`seconds` must be above 0"),
    "a camera that is not there": (("--camera", 99), "Camera 99 must be there, but"),
    "a missing file": (("no.pose",), "does not exist"),
    "a missing film": (("no.mp4",), "no.mp4"),
    "no film": (("bad.mp4",), "bad.mp4 must be a video, but is none"),
    "glosses": (("x.txt",), "must end in one of .pose"),
    "an empty folder": (("empty",), "empty must hold poses"),
    "another language": (("poses/a.pose", "--language", "gsg"), "reads, ase, but it is 'gsg'"),
    "no beam": (("poses/a.pose", "--beam", 0), "`beam` must be 1 to 64"),
    "best without JSON": (("poses/a.pose", "--best", 2), "--best must go with --json"),
    "best over beam": (("poses/a.pose", "--best", 3, "--beam", 2, "--json"), "beam of 2"),
    "no best": (("poses/a.pose", "--best", 0), "must be 1 to the beam"),
    "no language model": (
        ("poses/a.pose", "--language-model-weight", 1, "--beam", 5),
        "has no language model",
    ),
    "no thread": (("poses/a.pose", "--threads", 0), "--threads must be 1 to"),
    "no subtitles": (("poses/a.pose", "--subtitle", "x.txt"), "must end in .srt or .vtt"),
    "no timeline": (("poses/a.pose", "--timeline", "x.pdf"), "must end in .png or .svg"),
    "an output's folder": (("poses/a.pose", "-o", "no/x.txt"), "does not exist"),
    "a model of keypoints": (("poses/a.pose", "--keypoints", "no.onnx"), "no.onnx"),
    "a second model": (("poses/a.pose", "--model", "no"), "Known models: "),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line(run: Run, reader: tuple[object, ...], mistake: str) -> None:
    arguments, message = MISTAKES[mistake]
    Path("empty").mkdir()
    Path("bad.mp4").write_bytes(b"no film at all")
    Path("x.txt").write_text("RAIN\n")
    before = set(Path().rglob("*"))
    done = run(*reader, *arguments)
    assert is_one_line(done), done.stderr
    assert message in done.stderr
    assert set(Path().rglob("*")) == before


def test_a_name_that_is_no_text_is_escaped_wherever_it_is_spelled(
    run: Run, reader: tuple[object, ...]
) -> None:
    name = os.fsdecode(b"\xff\n\x1b[2J.json")
    spelled("b").save("poses/x.json")
    Path("poses/x.json").rename(name)
    done = run(*reader, name, "poses/a.pose", "nowhere\x1b.pose")
    assert done.code == 3
    assert done.stdout.startswith("\\udcff\\n\\x1b[2J.json\tb\n")
    assert "\x1b" not in done.stderr


def test_what_is_produced_is_recognised(run: Run) -> None:
    assert run("produce", "hello", "-o", "x.pose").code == 0
    done = run("recognize", "x.pose")
    assert (done.code, done.stdout) == (0, "hello\n")


def test_a_corpus_with_faults_is_not_evaluated_on_what_is_left(run: Run, packages: Path) -> None:
    pytest.importorskip("pyarrow", reason="the extra `data` is not installed")
    for name in ("a", "b"):
        write_pictures(Path("films") / name, film_of(0, 1, 2))
    rows = ("name,glosses,split", "a,RAIN SUN,test", "b,RAIN SUN,test", "../out,SUN,test")
    Path("films/t.csv").write_text("\n".join(rows) + "\n")
    done = run("evaluate", packages / "watcher", "--corpus", "films", "--reader", "frames")
    assert (done.code, done.stdout) == (2, "")
    assert "films/t.csv line 4: a recording must be named by its path" in done.stderr
