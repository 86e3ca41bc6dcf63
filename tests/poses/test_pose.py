from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.pose import Pose


def test_duration_is_frames_over_frame_rate(make_pose) -> None:
    pose = make_pose(7, fps=28.0)
    assert pose.num_frames == len(pose) == 7
    assert pose.duration_s == 0.25


def test_parts_concatenate_to_the_whole(make_pose) -> None:
    pose = make_pose(11)
    whole = Pose.concatenate([pose[:3], pose[3:8], pose[8:]])
    np.testing.assert_array_equal(whole.frames, pose.frames)
    np.testing.assert_array_equal(whole.confidence, pose.confidence)


def test_poses_of_two_frame_rates_do_not_concatenate(make_pose) -> None:
    with pytest.raises(FormatError, match="Resample first"):
        Pose.concatenate([make_pose(3), make_pose(3, fps=30.0)])
    with pytest.raises(FormatError, match="there is none"):
        Pose.concatenate([])


@pytest.mark.parametrize("fps", [0.0, -25.0, float("nan"), float("inf"), 240.1])
def test_impossible_frame_rates_are_refused(fps: float) -> None:
    with pytest.raises(FormatError, match="fps"):
        Pose.of(np.zeros((3, 50, 3), np.float32), fps=fps)


@pytest.mark.parametrize("shape", [(0, 50, 3), (3, 49, 3), (3, 50, 2), (50, 3)])
def test_wrong_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(FormatError):
        Pose.of(np.zeros(shape, np.float32))


def test_confidence_of_another_length_is_refused() -> None:
    with pytest.raises(FormatError, match="confidence"):
        Pose(np.zeros((3, 50, 3), np.float32), np.ones((5, 50), np.float32))


def test_nan_is_refused_where_seen_and_zeroed_where_missing() -> None:
    frames = np.zeros((3, 50, 3), np.float32)
    frames[1, 7] = np.nan
    confidence = np.ones((3, 50), np.float32)
    with pytest.raises(FormatError, match="joint 7 of frame 1"):
        Pose(frames, confidence)
    confidence[1, 7] = 0
    assert (Pose(frames, confidence).frames == 0).all()
    confidence[1, 7] = np.nan
    with pytest.raises(FormatError, match="confidence"):
        Pose(frames, confidence)


def test_an_empty_cut_is_refused(make_pose) -> None:
    with pytest.raises(FormatError, match="at least one frame"):
        make_pose(3)[3:]


def test_a_pose_loads_as_it_was_saved(make_pose, tmp_path: Path) -> None:
    pose = make_pose(5)
    pose.save(tmp_path / "a.pose")
    np.testing.assert_allclose(Pose.load(tmp_path / "a.pose").frames, pose.frames, atol=1e-5)


def test_poses_are_equal_by_what_they_hold(make_pose) -> None:
    pose = make_pose(5)
    assert pose == Pose(pose.frames.copy(), pose.confidence.copy(), 25.0)
    assert pose != make_pose(5, fps=30.0)
    assert pose != pose[:4]
    assert pose != Pose(pose.frames, pose.confidence / 2)
    assert pose != "pose"
    with pytest.raises(TypeError, match="unhashable"):
        hash(pose)


def test_a_pose_prints_in_one_short_line(make_pose) -> None:
    assert repr(make_pose(66)) == "Pose(66 frames, 50 joints, 25 fps)"


@pytest.mark.parametrize("fps", [None, True, "25", 0.09, 10**400, 1j])
def test_a_frame_rate_that_is_none_is_refused(fps: object) -> None:
    with pytest.raises(FormatError, match=r"`fps` must be a number from 0\.1 to 240"):
        make(fps=fps)


def make(frames: object = None, confidence: object = None, fps: object = 25.0) -> Pose:
    """Call the constructor as one who has no types."""
    call: Any = inspect.unwrap(Pose.__init__)
    frames = np.zeros((2, 50, 3)) if frames is None else frames
    confidence = np.ones((2, 50)) if confidence is None else confidence
    pose = Pose.__new__(Pose)
    call(pose, frames, confidence, fps)
    return pose


@pytest.mark.parametrize(
    ("frames", "claim"),
    [
        ([[[1, 2, 3]] * 50, [[1, 2]]], "ragged"),
        ("frames", "must be an array of numbers"),
        (np.full((2, 50, 3), None), "must be an array of numbers"),
        (np.full((2, 50, 3), 1j), "must be an array of numbers"),
        (np.full((2, 50, 3), 1.1e4), "at most 10000 .* joint 0 of frame 0"),
        (np.full((2, 50, 3), -1e300), "at most 10000"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_coordinates_that_are_none_are_refused(frames: object, claim: str) -> None:
    with pytest.raises(FormatError, match=claim):
        make(frames)


@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan, np.inf, 1e300])
@pytest.mark.filterwarnings("error")
def test_a_confidence_beyond_0_and_1_is_refused(value: float) -> None:
    confidence = np.ones((2, 50))
    confidence[1, 3] = value
    with pytest.raises(FormatError, match="from 0 to 1, but joint 3 of frame 1"):
        make(confidence=confidence)
