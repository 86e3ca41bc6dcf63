from __future__ import annotations

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.placement import place
from signloom.poses.skeleton import LEFT_SHOULDER, NECK, RIGHT_SHOULDER


def test_a_pose_moved_and_enlarged_comes_back(make_pose) -> None:
    pose = make_pose(5)
    confidence = pose.confidence.copy()
    confidence[:, NECK] = 0
    frames, found = place(pose.frames * 37 + np.float32([300, 200, 0]), confidence)
    np.testing.assert_allclose(frames, pose.frames, atol=1e-5)
    assert (found == 1).all()


def test_a_neck_that_was_seen_is_the_origin(make_pose) -> None:
    pose = make_pose(3)
    moved = pose.frames.copy()
    moved[:, NECK] = [0.1, 0.2, 0]
    frames, _ = place(moved, pose.confidence)
    assert (frames[:, NECK] == 0).all()
    np.testing.assert_allclose(frames[:, LEFT_SHOULDER], [[0.4, -0.2, 0]] * 3, atol=1e-6)


def test_a_frame_without_shoulders_takes_the_neck_of_the_others(make_pose) -> None:
    pose = make_pose(3)
    confidence = pose.confidence.copy()
    confidence[1, [NECK, LEFT_SHOULDER]] = 0
    frames, found = place(pose.frames + np.float32(5), confidence)
    np.testing.assert_allclose(frames[1, 7], pose.frames[1, 7], atol=1e-5)
    assert found[1, NECK] == 0


def test_shoulders_that_are_never_seen_or_not_apart_are_refused(make_pose) -> None:
    pose = make_pose(3)
    confidence = pose.confidence.copy()
    confidence[:, RIGHT_SHOULDER] = 0
    with pytest.raises(FormatError, match="never are"):
        place(pose.frames, confidence)
    with pytest.raises(FormatError, match="must be apart"):
        place(np.zeros_like(pose.frames), pose.confidence)
