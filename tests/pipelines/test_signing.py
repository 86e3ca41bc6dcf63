"""Recordings of every kind come through one reader, films by one estimator."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.errors import ConfigError, FormatError
from signloom.features.footage import Picture
from signloom.features.keypoints import Keypoints
from signloom.pipelines.extraction import Camera
from signloom.pipelines.signing import SigningReader, count_frames, find_recordings, is_film
from signloom.poses.formats import many
from signloom.poses.formats.recording import Recording
from signloom.poses.rest import rest_pose
from tests.small_films import write_film
from tests.tiny_recognizers import film_of, write_pictures
from tests.tiny_translator import spelled


class Rest:
    """Sees somebody at rest in every picture that is not black."""

    def __init__(self) -> None:
        self.films = 0

    def reset(self) -> None:
        self.films += 1

    def estimate(self, picture: Picture) -> Keypoints:
        if picture.mean() < 25:
            return Keypoints.nobody()
        return Keypoints(100 * rest_pose() + 200, np.ones(50, np.float32))


def test_a_file_of_one_pose_and_one_of_many(tmp_path: Path) -> None:
    pose = spelled("ab")
    pose.save(tmp_path / "x.pose")
    many.write_all([Recording("", pose), Recording("", spelled("b"))], tmp_path / "y.skels")
    reader = SigningReader(fps=25.0)
    [one] = reader.read(tmp_path / "x.pose")
    assert (one.name, one.extraction.pose.num_frames) == (str(tmp_path / "x.pose"), pose.num_frames)
    names = [each.name for each in reader.read(tmp_path / "y.skels")]
    assert names == [f"{tmp_path / 'y.skels'}:1", f"{tmp_path / 'y.skels'}:2"]
    with pytest.raises(FormatError, match="read as one, but holds several"):
        reader.read_one(tmp_path / "y.skels")


def test_films_are_seen_at_the_rate_of_the_model_by_one_estimator(tmp_path: Path) -> None:
    estimator = Rest()
    reader = SigningReader(fps=10.0, picture_px=5, estimator=estimator)
    video = write_film(tmp_path / "x.mp4", film_of(2, 3, frames=10), fps=20.0)
    pictures = write_pictures(tmp_path / "frames", film_of(0, frames=7))
    told: list[int] = []
    seen = reader.read_one(video, advance=told.append)
    assert (seen.pose.num_frames, seen.pose.fps, sum(told)) == (10, 10.0, 10)
    assert seen.pictures is not None
    assert seen.pictures.shape == (10, 5, 5, 3)
    assert not seen.is_empty
    nobody = reader.read_one(pictures)
    assert (nobody.is_empty, nobody.pose.num_frames) == (True, 7)
    assert "shows nobody" in nobody.warnings[-1]
    assert estimator.films == 2
    assert count_frames(video, fps=10.0) == 10
    assert count_frames(pictures, fps=10.0) == 7
    assert count_frames(Camera(0, 3.0), fps=10.0) == 30


def test_a_model_of_pictures_alone_looks_for_nobody(tmp_path: Path) -> None:
    reader = SigningReader(fps=25.0, needs_joints=False, picture_px=5)
    seen = reader.read_one(write_pictures(tmp_path / "frames", film_of(2, 3)))
    assert seen.is_empty
    assert seen.pictures is not None
    assert seen.pictures[:, 0, 0, 0].tolist() == [100] * 4 + [150] * 4
    spelled("a").save(tmp_path / "x.pose")
    with pytest.raises(ConfigError, match=r"looks at pictures, but .*x\.pose holds poses"):
        reader.read_one(tmp_path / "x.pose")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x.txt", "must end in one of .pose .* or be a folder of pictures, but .* has `.txt`"),
        ("no", "has no suffix"),
        ("no.pose", "does not exist"),
        ("no.mp4", r"no\.mp4"),
        ("folder", "has no suffix"),
        ("x" * 300, "has no suffix"),
    ],
)
def test_what_holds_no_signing_is_refused_in_one_line(
    tmp_path: Path, name: str, message: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "x.txt").touch()
    with pytest.raises(FormatError, match=message) as caught:
        SigningReader(fps=25.0, estimator=Rest()).read_one(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_of_a_folder_all_recordings_are_found_by_name(tmp_path: Path) -> None:
    write_pictures(tmp_path / "b/frames", film_of(1, frames=2))
    for name in ("c.pose", "a.MP4", "b/d.json", "notes.txt", ".e.pose", ".hidden/f.pose"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = find_recordings(tmp_path)
    assert [str(one.relative_to(tmp_path)) for one in found] == [
        "a.MP4",
        "b/d.json",
        "b/frames",
        "c.pose",
    ]
    assert is_film(tmp_path / "b/frames")
    assert not is_film(tmp_path / "b")
    with pytest.raises(ConfigError, match=r"must hold poses \(.pose"):
        find_recordings(_empty(tmp_path))


def _empty(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"
