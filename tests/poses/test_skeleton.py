from __future__ import annotations

from signloom.poses.skeleton import LEFT_HAND, LEFT_WRIST, RIGHT_HAND, RIGHT_WRIST, UPPER_BODY_50


def test_every_joint_but_the_neck_has_exactly_one_parent() -> None:
    children = sorted(child for _, child in UPPER_BODY_50.bones)
    assert children == [joint for joint in range(50) if UPPER_BODY_50.joints[joint] != "neck"]


def test_hands_hang_on_their_own_wrists() -> None:
    assert (RIGHT_WRIST, RIGHT_HAND.start) in UPPER_BODY_50.bones
    assert (LEFT_WRIST, LEFT_HAND.start) in UPPER_BODY_50.bones
    assert UPPER_BODY_50.joints[RIGHT_HAND.start + 9] == "right_middle_1"
    assert UPPER_BODY_50.joints[LEFT_HAND.start + 17] == "left_pinky_1"


def test_joint_names_are_unique() -> None:
    assert len(set(UPPER_BODY_50.joints)) == UPPER_BODY_50.num_joints == 50


def test_a_skeleton_prints_in_one_short_line() -> None:
    assert repr(UPPER_BODY_50) == "Skeleton(upper_body_50, 50 joints)"
