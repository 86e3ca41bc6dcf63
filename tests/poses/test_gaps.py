from __future__ import annotations

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.gaps import FILLED, fill_gaps
from signloom.poses.pose import Pose
from signloom.poses.skeleton import RIGHT_HAND


def with_gap(pose: Pose, frames: slice, joints: slice | int) -> Pose:
    confidence = pose.confidence.copy()
    confidence[frames, joints] = 0
    return Pose(pose.frames, confidence, pose.fps)


def test_a_pose_without_gaps_is_left_alone(make_pose) -> None:
    pose = make_pose(5)
    assert fill_gaps(pose) is pose


def test_a_gap_is_bridged_by_a_straight_line_and_the_ends_are_held(make_pose) -> None:
    frames = make_pose(7).frames.copy()
    frames[:, 3, 0] = np.arange(7)
    filled = fill_gaps(with_gap(Pose.of(frames), slice(2, 5), 3))
    np.testing.assert_allclose(filled.frames[:, 3, 0], np.arange(7), atol=1e-6)
    assert (filled.confidence[2:5, 3] == np.float32(FILLED)).all()
    assert (filled.confidence[:, 4] == 1).all()
    ends = fill_gaps(with_gap(Pose.of(frames), slice(4, None), 3))
    np.testing.assert_allclose(ends.frames[4:, 3, 0], 3)


def test_a_hand_goes_where_its_wrist_goes(make_pose) -> None:
    pose = make_pose(11)
    filled = fill_gaps(with_gap(pose, slice(3, 8), RIGHT_HAND))
    np.testing.assert_allclose(filled.frames, pose.frames, atol=1e-6)


def test_a_joint_that_is_never_seen_is_named(make_pose) -> None:
    with pytest.raises(FormatError, match="right_index_1 is never seen"):
        fill_gaps(with_gap(make_pose(3), slice(None), 13))
