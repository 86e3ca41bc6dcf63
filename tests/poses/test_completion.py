from __future__ import annotations

import numpy as np
import pytest

from signloom.poses.completion import complete, missing_share
from signloom.poses.pose import Pose
from signloom.poses.rest import rest_pose
from signloom.poses.skeleton import (
    LEFT_ELBOW,
    LEFT_HAND,
    LEFT_WRIST,
    RIGHT_ELBOW,
    RIGHT_HAND,
    RIGHT_WRIST,
    UPPER_BODY_50,
)
from tests.data.small_corpus import moving_frames


def without(frames, *joints, when=slice(None)) -> Pose:
    confidence = np.ones(frames.shape[:2], dtype=np.float32)
    for joint in joints:
        confidence[when, joint] = 0
    return Pose(frames, confidence)


def test_a_pose_without_gaps_stays_as_it_is() -> None:
    pose = Pose.of(moving_frames(5))
    assert complete(pose) == pose
    assert missing_share(pose) == 0


def test_what_was_seen_is_not_moved_by_a_bit() -> None:
    frames = moving_frames(11)
    pose = without(frames, 3, 4, 35, when=slice(2, 7))
    filled = complete(pose).frames
    seen = pose.confidence > 0
    np.testing.assert_array_equal(filled[seen], frames[seen])


def test_a_gap_is_filled_linearly_and_ends_by_the_nearest() -> None:
    frames = moving_frames(7)
    filled = complete(without(frames, LEFT_ELBOW, when=[0, 2, 3, 6])).frames[:, LEFT_ELBOW]
    first, last = frames[1, LEFT_ELBOW], frames[4, LEFT_ELBOW]
    np.testing.assert_allclose(filled[2], first + (last - first) / 3, atol=1e-6)
    np.testing.assert_allclose(filled[3], first + 2 * (last - first) / 3, atol=1e-6)
    np.testing.assert_array_equal(filled[0], frames[1, LEFT_ELBOW])
    np.testing.assert_array_equal(filled[6], frames[5, LEFT_ELBOW])


def test_a_hand_that_is_lost_for_a_while_stays_on_its_wrist() -> None:
    frames = moving_frames(5)
    frames[2:, RIGHT_WRIST] += 1
    frames[2:, RIGHT_HAND] += 1
    filled = complete(without(frames, RIGHT_HAND, when=slice(2, 5))).frames
    expected = frames[1, RIGHT_HAND] - frames[1, RIGHT_WRIST]
    found = filled[2:, RIGHT_HAND] - filled[2:, RIGHT_WRIST, None]
    np.testing.assert_allclose(found, np.repeat(expected[None], 3, axis=0), atol=1e-6)


def test_a_hand_never_seen_is_the_relaxed_one_turned_along_its_forearm() -> None:
    frames = np.repeat(rest_pose()[None], 3, axis=0)
    frames[:, LEFT_WRIST] = frames[:, LEFT_ELBOW] + (0.65, 0, 0)  # raised by a quarter turn
    hand = complete(without(frames, LEFT_HAND)).frames[:, LEFT_HAND]
    rest = rest_pose()
    assert (hand[:, 9, 0] > frames[:, LEFT_WRIST, 0] + 0.1).all()
    lengths = np.linalg.norm(hand[0] - frames[0, LEFT_WRIST], axis=-1)
    expected = np.linalg.norm(rest[LEFT_HAND] - rest[LEFT_WRIST], axis=-1)
    np.testing.assert_allclose(lengths, expected, atol=1e-6)


@pytest.mark.parametrize("wrist", [(0.1, -0.5), (0.58, 1.47), (-0.3, 0.4), (1.2, 0.1)])
def test_an_elbow_never_seen_follows_its_wrist_and_stays_below_and_outside(wrist) -> None:
    frames = np.repeat(rest_pose()[None], 3, axis=0)
    frames[:, LEFT_WRIST, :2] = wrist
    elbow = complete(without(frames, LEFT_ELBOW)).frames[0, LEFT_ELBOW]
    expected = rest_pose()[LEFT_ELBOW, :2] + 0.3 * (wrist - rest_pose()[LEFT_WRIST, :2])
    np.testing.assert_allclose(elbow[:2], expected, atol=1e-6)
    assert elbow[1] > 0.2
    assert elbow[0] > 0.3


def test_an_arm_never_seen_hangs_and_is_counted_as_missing() -> None:
    pose = without(moving_frames(3), RIGHT_ELBOW, RIGHT_WRIST, *range(8, 29))
    filled = complete(pose)
    np.testing.assert_allclose(
        filled.frames[:, RIGHT_WRIST] - filled.frames[:, RIGHT_ELBOW],
        np.repeat([rest_pose()[RIGHT_WRIST] - rest_pose()[RIGHT_ELBOW]], 3, axis=0),
        atol=1e-6,
    )
    assert (filled.confidence == 1).all()
    assert missing_share(pose) == pytest.approx(23 / 50)


def test_the_rest_pose_has_the_neck_at_the_origin_and_bones_of_some_length() -> None:
    rest = rest_pose()
    assert (rest[1] == 0).all()
    bones = np.array(UPPER_BODY_50.bones)
    lengths = np.linalg.norm(rest[bones[:, 0]] - rest[bones[:, 1]], axis=-1)
    on_wrists = [bone in ((4, 29), (7, 8)) for bone in UPPER_BODY_50.bones]
    assert (lengths[~np.array(on_wrists)] > 0.02).all()
    assert (lengths[on_wrists] == 0).all()
