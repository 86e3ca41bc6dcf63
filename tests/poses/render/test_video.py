from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.pose import Pose
from signloom.poses.render import film

CAPTIONS = ((0.0, 0.12, "h"), (0.12, 0.24, "i"))


def decode(path: Path) -> tuple[list[np.ndarray], Fraction, float, float]:
    """Give pictures, frame rate, duration of the stream and of the file."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        pictures = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        duration = float(stream.duration * stream.time_base)
        return pictures, stream.average_rate, duration, container.duration / av.time_base


@pytest.mark.parametrize(
    ("frames", "fps", "rate"),
    [
        (1, 25.0, Fraction(25)),
        (7, 25.0, Fraction(25)),
        (11, 29.97002983, Fraction(30000, 1001)),
        (5, 24.0, Fraction(24)),
        (13, 7.5, Fraction(15, 2)),
        (9, 240.0, Fraction(240)),
    ],
)
def test_frames_rate_and_duration_are_the_poses(make_pose, tmp_path, frames, fps, rate) -> None:
    make_pose(frames, fps=fps).save(tmp_path / "a.mp4")
    pictures, average, duration, whole = decode(tmp_path / "a.mp4")
    assert len(pictures) == frames
    assert average == rate
    assert abs(duration - frames / rate) < 1e-3
    assert abs(whole - frames / rate) < 2e-3
    assert pictures[0].shape == (640, 640, 3)


def test_the_picture_moves_with_the_hand(make_pose, tmp_path) -> None:
    make_pose(13).save(tmp_path / "a.mp4")
    pictures, *_ = decode(tmp_path / "a.mp4")
    change = np.abs(pictures[0].astype(int) - pictures[12].astype(int)).max(axis=-1)
    assert 0.002 < (change > 60).mean() < 0.3


def test_captions_add_a_strip_and_change_with_time(make_pose, tmp_path) -> None:
    make_pose(6).save(tmp_path / "a.mp4", captions=CAPTIONS)
    pictures, *_ = decode(tmp_path / "a.mp4")
    strips = [picture[644:].astype(int) for picture in pictures]
    assert strips[0].shape == (72, 640, 3)
    assert all(strip.min() < 120 for strip in strips)
    assert np.abs(strips[0] - strips[1]).max() < 40
    assert np.abs(strips[0] - strips[4]).max() > 80


def test_a_figure_with_missing_joints_is_drawn(make_pose, tmp_path) -> None:
    pose = make_pose(5)
    for missing in (slice(0, 3), slice(8, 9), slice(12, 14), slice(0, 50)):
        confidence = pose.confidence.copy()
        confidence[1:3, missing] = 0
        Pose(pose.frames, confidence, 25.0).save(tmp_path / "a.mp4")
        assert len(decode(tmp_path / "a.mp4")[0]) == 5


def test_absurd_coordinates_are_drawn_off_the_picture(make_pose, tmp_path) -> None:
    pose = make_pose(3)
    Pose.of(pose.frames * np.float32(1e3)).save(tmp_path / "a.mp4")
    assert len(decode(tmp_path / "a.mp4")[0]) == 3


def test_too_many_frames_are_refused_and_nothing_is_written(tmp_path) -> None:
    pose = Pose.of(np.zeros((film.MAX_FRAMES + 1, 50, 3), np.float32))
    for name in ("a.mp4", "a.gif"):
        with pytest.raises(FormatError, match="At most 20000 frames"):
            pose.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("captions", [((1.0, 0.5, "a"),), ((1.0, 2.0, "a"), (0.5, 2.0, "b"))])
def test_captions_out_of_order_are_refused(make_pose, tmp_path, captions) -> None:
    for name in ("a.mp4", "a.gif", "a.png"):
        with pytest.raises(FormatError, match="Captions must be in order"):
            make_pose(3).save(tmp_path / name, captions=captions)
    assert not list(tmp_path.iterdir())
