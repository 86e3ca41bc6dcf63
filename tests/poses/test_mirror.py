"""A mirrored pose is what the other hand would sign."""

from __future__ import annotations

import numpy as np

from signloom.poses.mirror import SWAPPED, mirror, mirror_pose
from signloom.poses.pose import Pose
from signloom.poses.skeleton import UPPER_BODY_50


def test_every_joint_becomes_that_of_the_other_side() -> None:
    names = UPPER_BODY_50.joints
    for joint, other in enumerate(SWAPPED):
        swapped = names[joint].replace("left", "?").replace("right", "left").replace("?", "right")
        assert names[other] == swapped


def test_mirroring_twice_changes_nothing() -> None:
    frames = np.random.default_rng(0).normal(size=(5, 50, 3)).astype(np.float32)
    assert np.array_equal(mirror(mirror(frames)), frames)
    assert not np.array_equal(mirror(frames), frames)


def test_what_was_not_seen_changes_sides_too() -> None:
    frames = np.ones((3, 50, 3), np.float32)
    confidence = np.ones((3, 50), np.float32)
    confidence[1, 4] = 0
    mirrored = mirror_pose(Pose(frames, confidence, 12.5))
    assert (mirrored.confidence[1] == 0).nonzero()[0].tolist() == [7]
    assert mirrored.fps == 12.5
    assert mirrored.frames[0, 3].tolist() == [-1, 1, 1]
