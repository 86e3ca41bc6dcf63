"""`signloom caption` says what each picture shows, and names what it cannot look at."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from signloom.runtime.archive import pack
from tests.cli.conftest import Run
from tests.small_pictures import COLOURS, write_pictures
from tests.tiny_captioner import write_tiny_captioner


@pytest.fixture
def eye(run: Run, tmp_path: Path) -> tuple[object, ...]:
    """Give a command that captions, and a folder: a picture, no picture, one in a folder."""
    write_tiny_captioner(tmp_path / "eye")
    Path("album/deep").mkdir(parents=True)
    for name, colour in (("album/a.png", "red"), ("album/deep/c.webp", "blue")):
        Image.new("RGB", (50, 40), COLOURS[colour]).save(name)
    Path("album/b.jpg").write_bytes(b"no picture")
    Path("album/notes.txt").write_text("no picture either")
    return ("caption", "--model", tmp_path / "eye")


def test_one_picture_gives_one_line(run: Run, eye) -> None:
    done = run(*eye, "album/a.png")
    assert (done.code, done.stdout) == (0, "a red picture\n")
    assert done.stderr == "captions, en, by eye\n"


def test_of_a_folder_the_bad_file_is_named_and_the_rest_is_done(run: Run, eye) -> None:
    done = run(*eye, "album")
    assert done.code == 3
    assert done.stdout == "album/a.png\ta red picture\nalbum/deep/c.webp\ta blue picture\n"
    assert "refused: album/b.jpg must be a picture" in done.stderr
    assert "2 captioned, 1 refused" in done.stderr
    report = json.loads(run(*eye, "album", "--json").stdout)
    assert [one.get("text", "refused") for one in report] == [
        "a red picture",
        "refused",
        "a blue picture",
    ]
    assert run(*eye, "album", "-o", "all.tsv").stdout == "all.tsv\n"
    assert Path("all.tsv").read_text() == done.stdout


def test_the_report_says_how_sure_it_is(run: Run, eye) -> None:
    [one] = json.loads(run(*eye, "album/a.png", "--beam", 2, "--json").stdout)
    assert (one["text"], one["beam"], one["group"], len(one["best"])) == ("a red picture", 2, 2, 2)
    assert (one["width_px"], one["height_px"], one["finished"]) == (50, 40, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("album/b.jpg",), "must be a picture (JPEG, PNG, WebP, GIF, BMP, TIFF, PPM), but is none"),
        (("nothing.png",), "nothing.png cannot be read as a picture: No such file"),
        (("album/a.png", "--beam", 0), "`beam` must be 1 to 64, but is 0"),
        (("album/a.png", "--threads", 0), "threads"),
        (("album/a.png", "-o", "album/a.png"), "album/a.png"),
    ],
)
def test_mistakes_are_one_line(run: Run, eye, arguments, message: str) -> None:
    done = run(*eye, *arguments)
    assert (done.code, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_without_pictures_is_refused(run: Run, eye) -> None:
    Path("empty").mkdir()
    done = run(*eye, "empty")
    assert done.code == 2
    assert "empty must hold pictures" in done.stderr


def test_a_caption_is_spelled(run: Run, eye, tmp_path: Path) -> None:
    done = run(
        "produce", "--image", "album/a.png", "--image-model", tmp_path / "eye", "-o", "x.pose"
    )
    assert (done.code, done.stdout) == (0, "x.pose\n")
    assert "seen: a red picture\n" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hello", "--image", "a.png"), "--image must stand in place of the text"),
        (("--audio", "a.wav", "--image", "a.png"), "Either --audio or --image"),
        (("hello", "--image-model", "x"), "--image-model must go with --image FILE"),
        (("--image", "album/a.png"), "signloom models install NAME.zip"),
    ],
)
def test_a_picture_stands_alone(run: Run, eye, arguments, message: str) -> None:
    done = run("produce", *arguments, "-o", "x.pose")
    assert done.code == 2
    assert message in done.stderr


def test_a_package_in_one_file_is_installed_and_then_the_default(
    run: Run, eye, tmp_path: Path, monkeypatch
) -> None:
    package = write_tiny_captioner(tmp_path / "caption-colours-v1")
    pack(package, tmp_path / "caption-colours-v1.zip")
    first = (tmp_path / "caption-colours-v1.zip").read_bytes()
    pack(package, tmp_path / "caption-colours-v1.zip")
    assert (tmp_path / "caption-colours-v1.zip").read_bytes() == first
    monkeypatch.setenv("SIGNLOOM_MODELS", str(tmp_path / "mine"))
    assert run("models", "install", tmp_path / "caption-colours-v1.zip").code == 0
    assert run("caption", "album/a.png").stdout == "a red picture\n"
    assert "caption-colours-v1" in run("models", "list").stdout


def test_captioners_are_evaluated_on_pictures(run: Run, eye, tmp_path: Path) -> None:
    pictures = write_pictures(tmp_path / "pictures")
    corpus = ("--corpus", pictures, "--reader", "captions")
    done = run("evaluate", tmp_path / "eye", *corpus, "--json")
    assert done.code == 0
    document = json.loads(done.stdout)
    assert document["signature"].startswith("corpus:captions|split:test|pictures:6|data:")
    figures = document["rows"]["eye"]["figures"]
    assert figures["bleu1"] == pytest.approx(100)
    assert figures["cider_d"]["value"] > figures["shuffled_cider_d"]["value"] > 0
    assert (figures["repeated_words"], figures["unfinished"], figures["pictures"]) == (0, 0, 6)
    assert figures["meteor"] is None or figures["meteor"] > 0
    refused = run("evaluate", tmp_path / "eye", "--json")
    assert refused.code == 2
    assert "A captioner must be given pictures" in refused.stderr
    assert np.isfinite(figures["picture_ms"])
