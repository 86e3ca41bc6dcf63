from __future__ import annotations

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.pose import Pose
from signloom.poses.retime import change_speed, resample


@pytest.mark.parametrize("fps", [5.0, 24.0, 29.97, 50.0, 113.0])
def test_another_frame_rate_keeps_the_duration_to_half_a_frame(make_pose, fps: float) -> None:
    pose = make_pose(37)
    again = resample(pose, fps)
    assert again.fps == fps
    assert abs(again.duration_s - pose.duration_s) <= 0.5 / fps + 1e-9


def test_linear_movement_stays_linear() -> None:
    frames = np.zeros((11, 50, 3), np.float32)
    frames[:, 7, 0] = np.arange(11)
    again = resample(Pose.of(frames, fps=10.0), 40.0)
    np.testing.assert_allclose(again.frames[:41, 7, 0], np.arange(41) / 4, atol=1e-5)


def test_the_same_frame_rate_changes_nothing(make_pose) -> None:
    pose = make_pose(7)
    assert resample(pose, 25.0) is pose


def test_twice_the_speed_takes_half_the_time(make_pose) -> None:
    pose = make_pose(40)
    fast = change_speed(pose, 2.0)
    assert (fast.fps, len(fast)) == (25.0, 20)
    np.testing.assert_array_equal(fast.frames, pose.frames[::2])
    assert len(change_speed(pose, 0.5)) == 80
    assert len(change_speed(pose, 1000.0)) == 1


def test_a_joint_that_one_neighbour_lacks_stays_where_the_other_has_it(make_pose) -> None:
    pose = make_pose(2)
    confidence = pose.confidence.copy()
    confidence[1, 7] = 0
    confidence[:, 9] = 0
    again = resample(Pose(pose.frames, confidence, 25.0), 50.0)
    np.testing.assert_allclose(again.frames[1, 7], pose.frames[0, 7], atol=1e-6)
    assert again.confidence[1, 7] == 0.5
    assert (again.confidence[:, 9] == 0).all()


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf"), 1e-9])
def test_impossible_rates_and_speeds_are_refused(make_pose, value: float) -> None:
    with pytest.raises(FormatError):
        change_speed(make_pose(3), value)
    if value != 1e-9:
        with pytest.raises(FormatError):
            resample(make_pose(3), value)
