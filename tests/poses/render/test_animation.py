from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageSequence

from signloom.poses.render.animation import delays


@pytest.mark.parametrize(
    ("frames", "fps", "expected"),
    [(1, 25.0, 1), (7, 25.0, 7), (11, 29.97, 11), (13, 24.0, 13), (24, 120.0, 10)],
)
def test_the_duration_is_right_to_half_a_hundredth(
    make_pose, tmp_path, frames: int, fps: float, expected: int
) -> None:
    pose = make_pose(frames, fps=fps)
    pose.save(tmp_path / "a.gif")
    with Image.open(tmp_path / "a.gif") as image:
        durations = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
        assert image.n_frames == len(durations) == expected
        assert image.info["loop"] == 0
        assert image.size == (400, 400)
    assert abs(sum(durations) - 1000 * pose.duration_s) <= 5.001


def test_25_frames_a_second_are_40_milliseconds_each(make_pose, tmp_path) -> None:
    make_pose(5).save(tmp_path / "a.gif")
    with Image.open(tmp_path / "a.gif") as image:
        assert {frame.info["duration"] for frame in ImageSequence.Iterator(image)} == {40}


@pytest.mark.parametrize("fps", [7.5, 23.976, 25.0, 29.97, 30.0, 50.0])
def test_delays_never_drift(fps: float) -> None:
    ends = np.cumsum(delays(1130, fps=fps))
    exact = 100 * np.arange(1, 1131) / fps
    assert np.abs(ends - exact).max() <= 0.5
    assert min(delays(1130, fps=fps)) >= 2


def test_partial_frames_add_up_to_the_whole_picture(make_pose, tmp_path) -> None:
    pose = make_pose(9)
    pose.save(tmp_path / "all.gif")
    pose[8:].save(tmp_path / "last.gif")
    with Image.open(tmp_path / "all.gif") as image, Image.open(tmp_path / "last.gif") as last:
        image.seek(8)
        np.testing.assert_array_equal(image.convert("RGB"), last.convert("RGB"))


def test_a_still_pose_keeps_its_duration(make_pose, tmp_path) -> None:
    still = make_pose(1)
    still.concatenate([still] * 7).save(tmp_path / "a.gif")
    with Image.open(tmp_path / "a.gif") as image:
        assert sum(frame.info["duration"] for frame in ImageSequence.Iterator(image)) == 280


def test_captions_add_a_strip(make_pose, tmp_path) -> None:
    make_pose(3).save(tmp_path / "a.gif", captions=((0.0, 1.0, "a"),))
    with Image.open(tmp_path / "a.gif") as image:
        assert image.size == (400, 448)
