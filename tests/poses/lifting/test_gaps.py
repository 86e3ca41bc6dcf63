from __future__ import annotations

import numpy as np

from signloom.poses.lifting.gaps import fill_gaps
from signloom.poses.skeleton import NECK, RIGHT_HAND, RIGHT_WRIST

FINGER = RIGHT_HAND.start + 5
FRAMES = 11


def steady_joints() -> tuple[np.ndarray, np.ndarray]:
    """Every joint moves on a line of its own, but the neck stays; all were seen."""
    speeds = np.random.default_rng(2).normal(size=(50, 2))
    speeds[NECK] = 0
    joints = 0.1 * np.arange(FRAMES)[:, None, None] * speeds
    return joints, np.ones((FRAMES, 50))


def test_a_gap_in_steady_movement_is_filled_as_linear_interpolation_does():
    joints, confidence = steady_joints()
    lost = joints.copy()
    lost[3:7, FINGER], confidence[3:7, FINGER] = 9.0, 0
    filled, trust = fill_gaps(lost, confidence)
    np.testing.assert_allclose(filled, joints, atol=1e-12)
    assert trust[3:7, FINGER].tolist() == [0.5] * 4
    assert (np.delete(trust, FINGER, axis=1) == 1).all()


def test_the_surer_side_of_a_gap_weighs_more():
    joints, confidence = np.zeros((3, 50, 2)), np.ones((3, 50))
    joints[2, RIGHT_WRIST] = 1.0
    confidence[:, RIGHT_WRIST] = 0.75, 0, 0.25
    filled, trust = fill_gaps(joints, confidence)
    np.testing.assert_allclose(filled[1, RIGHT_WRIST], 0.25)
    assert trust[1, RIGHT_WRIST] == 0.25


def test_a_hand_that_was_lost_goes_where_its_wrist_goes():
    joints, confidence = np.zeros((FRAMES, 50, 2)), np.ones((FRAMES, 50))
    arm = np.sin(np.arange(FRAMES))
    joints[:, RIGHT_WRIST, 0] = arm
    joints[:, RIGHT_HAND, 0] = arm[:, None] + np.linspace(0.1, 0.7, 21)
    lost = joints.copy()
    lost[2:9, RIGHT_HAND], confidence[2:9, RIGHT_HAND] = 0, 0
    np.testing.assert_allclose(fill_gaps(lost, confidence)[0], joints, atol=1e-12)


def test_before_the_first_and_after_the_last_frame_a_bone_stays_as_it_was():
    joints, confidence = steady_joints()
    confidence[[0, 1, 9, 10], FINGER] = 0
    bones = fill_gaps(joints, confidence)[0]
    bones = bones[:, FINGER] - bones[:, RIGHT_HAND.start]
    np.testing.assert_allclose(bones[:2], bones[[2, 2]], atol=1e-12)
    np.testing.assert_allclose(bones[9:], bones[[8, 8]], atol=1e-12)


def test_a_joint_never_seen_together_with_its_parent_is_filled_on_its_own():
    joints, confidence = steady_joints()
    confidence[:6, RIGHT_HAND.start], confidence[6:, FINGER] = 0, 0
    filled, _ = fill_gaps(joints, confidence)
    np.testing.assert_allclose(filled[6:, FINGER], joints[5, FINGER] + np.zeros((5, 2)))


def test_what_no_frame_has_stays_missing():
    joints, confidence = steady_joints()
    confidence[:, RIGHT_HAND] = 0
    assert (fill_gaps(joints, confidence)[1][:, RIGHT_HAND] == 0).all()


def test_a_bone_whose_parent_was_lost_is_not_taken_for_known():
    joints, confidence = np.zeros((FRAMES, 50, 2)), np.ones((FRAMES, 50))
    joints[4, RIGHT_HAND.start :, 0] = 7.0  # the whole hand leaps, and its root was not seen
    confidence[4, RIGHT_HAND.start], confidence[5, FINGER] = 0, 0
    filled, _ = fill_gaps(joints, confidence)
    assert filled[4, FINGER, 0] == 7
    assert filled[5, FINGER, 0] == 0
