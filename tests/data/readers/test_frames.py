"""The plain form of films: what every reader of films shares is tested here."""

from __future__ import annotations

import re

import av
import numpy as np
import pytest
from PIL import Image

from signloom.data.findings import look_at_reading
from signloom.data.preparation import prepare
from signloom.data.readers.frames import Options, read
from signloom.data.readers.options import parse_options
from signloom.errors import ConfigError, FormatError
from signloom.features.squares import square
from tests.data.readers.small_films import write_film, write_plain, write_poses

SMALL = Options(side_px=16)


def test_a_row_is_an_utterance_with_pictures_but_without_joints(tmp_path) -> None:
    reading = read(write_plain(tmp_path), Options(side_px=16, fps=30.0, language="gsg"))
    assert reading.faults == ()
    assert reading.about.language == "gsg"
    assert [(one.name, one.split) for one in reading.entries] == [
        ("films/clip0", "train"),
        ("films/clip1", "dev"),
        ("films/clip2", "test"),
    ]
    last = reading.entries[2]
    assert (last.text, last.glosses, last.signer) == ("Ein Text 2", ("A", "B2"), "ann")
    pose = last.load()
    assert (pose.num_frames, pose.fps, last.has_poses) == (4, 30, False)
    assert not pose.confidence.any()
    assert not pose.frames.any()


def test_pictures_are_read_when_asked_for_and_brought_to_a_square(tmp_path) -> None:
    entry = read(write_plain(tmp_path), SMALL).entries[2]
    assert entry.pictures is not None
    film = entry.pictures()
    assert (film.shape, film.dtype) == ((4, 16, 16, 3), np.uint8)
    third = np.asarray(Image.open(tmp_path / "films/clip2/images2.png"))
    np.testing.assert_array_equal(film[2], square(third, side_px=16))


def test_pictures_count_as_numbers_do(tmp_path) -> None:
    write_film(tmp_path / "a", 11, size=(16, 16))
    (tmp_path / "t.csv").write_text("name,glosses\na,A\n")
    [entry] = read(tmp_path, SMALL).entries
    last = np.asarray(Image.open(tmp_path / "a/images10.png"))
    np.testing.assert_array_equal(entry.pictures()[10], last)


def test_poses_come_from_a_parallel_folder(tmp_path) -> None:
    write_plain(tmp_path)
    for number in range(3):
        write_poses(tmp_path / f"poses/films/clip{number}.pose", 2 + number, seed=number)
    reading = read(tmp_path, Options(poses="poses"))
    assert reading.faults == ()
    assert all(entry.has_poses for entry in reading.entries)
    assert [entry.load().num_frames for entry in reading.entries] == [2, 3, 4]
    assert reading.entries[0].load().confidence.all()
    assert tmp_path / "poses/films/clip1.pose" in reading.files


def test_poses_that_are_not_as_many_as_pictures_are_refused_with_both_counts(tmp_path) -> None:
    write_plain(tmp_path)
    for number in range(3):
        write_poses(tmp_path / f"poses/films/clip{number}.pose", 5)
    entry = read(tmp_path, Options(poses="poses")).entries[1]
    with pytest.raises(FormatError, match=r"each of the 3 pictures of .*clip1, but has 5. Extract"):
        entry.load()


def test_a_video_is_a_film_too(tmp_path) -> None:
    with av.open(str(tmp_path / "a.mp4"), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 48, 32, "yuv420p"
        for _ in range(5):
            grey = np.full((32, 48, 3), 128, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(grey, format="rgb24")))
        container.mux(stream.encode(None))
    (tmp_path / "t.csv").write_text("name,glosses\na.mp4,A\n")
    write_poses(tmp_path / "poses/a.pose", 5)
    for options in (SMALL, Options(poses="poses", side_px=16)):
        [entry] = read(tmp_path, options).entries
        assert entry.load().num_frames == 5
        assert entry.pictures().shape == (5, 16, 16, 3)


@pytest.mark.parametrize(
    ("row", "claim"),
    [
        ("missing,train,A", "names 'missing', but .* has no such folder or video"),
        ("../films,train,A", "must be named by its path in"),
        (f"{'x' * 300},train,A", "has no such folder or video"),
        ("films/clip0,trian,A", "`split` must be one of train, dev, test, but is 'trian'"),
        ("films/clip0,train,", "must have a text"),
        ("table.csv,train,A", "has no such folder or video"),
    ],
)
def test_a_row_that_does_not_hold_is_a_fault_of_its_line(tmp_path, row: str, claim: str) -> None:
    write_plain(tmp_path)
    (tmp_path / "table.csv").write_text(f"name,split,glosses\n{row}\n")
    reading = read(tmp_path, SMALL)
    assert reading.entries == ()
    [fault] = reading.faults
    assert str(fault.place).endswith("table.csv line 2")
    assert re.search(claim, fault.message)


def test_a_recording_without_poses_is_a_fault_where_poses_are_promised(tmp_path) -> None:
    write_plain(tmp_path)
    faults = read(tmp_path, Options(poses="poses")).faults
    assert ["clip0.pose" in fault.message for fault in faults] == [True, False, False]


@pytest.mark.parametrize(
    ("text", "claim"),
    [("fps=0", "`fps` must be 0.1 to 240"), ("side_px=8", "`side_px` must be 16 to 1024")],
)
def test_options_out_of_range_are_refused(text: str, claim: str) -> None:
    with pytest.raises(ConfigError, match=claim):
        parse_options(Options, [text], reader="frames")


def test_validation_reads_every_picture(tmp_path) -> None:
    write_plain(tmp_path)
    (tmp_path / "films/clip1/images1.png").write_bytes(b"no picture")
    Image.new("RGB", (3, 3)).save(tmp_path / "films/clip2/images3.png")
    findings = look_at_reading(read(tmp_path, SMALL))
    assert [(seen.num_frames, seen.missing) for seen in findings.seen] == [(2, 1.0)]
    messages = [fault.message for fault in findings.faults]
    assert "images1.png must be a PNG or JPEG picture" in messages[0]
    assert "images3.png must be as large as the pictures before it" in messages[1]


def test_validation_tells_films_of_one_length_apart_by_their_pictures(tmp_path) -> None:
    for number, seed in enumerate((1, 2, 1)):
        write_film(tmp_path / f"clip{number}", 3, seed=seed)
    rows = "".join(f"clip{number},train,A{number}\n" for number in range(3))
    (tmp_path / "t.csv").write_text(f"name,split,glosses\n{rows}")
    [fault] = look_at_reading(read(tmp_path, SMALL)).faults
    assert "'clip2' has the same frames as 'clip0'" in fault.message


def test_films_without_poses_are_not_prepared(tmp_path) -> None:
    reading = read(write_plain(tmp_path / "source"), SMALL)
    with pytest.raises(FormatError, match=r"3 of 3 films have none, .* --set poses=FOLDER"):
        prepare(reading, tmp_path / "prepared", source=tmp_path, options={})
    assert not (tmp_path / "prepared").exists()


def test_films_with_poses_are_prepared_as_poses(tmp_path) -> None:
    write_plain(tmp_path / "source")
    for number in range(3):
        write_poses(tmp_path / f"source/poses/films/clip{number}.pose", 2 + number, seed=number)
    reading = read(tmp_path / "source", Options(poses="poses"))
    done = prepare(reading, tmp_path / "prepared", source=tmp_path, options={})
    assert done.card["splits"]["test"]["frames"] == 4
