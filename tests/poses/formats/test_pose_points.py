from __future__ import annotations

import pytest

from signloom.poses.formats import pose_points
from signloom.poses.skeleton import UPPER_BODY_50

LAYOUTS = {"mediapipe": [33, 21, 21], "openpose": [25, 70, 21, 21]}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_limbs_and_colours_stay_within_their_points(layout: str) -> None:
    components = pose_points.LAYOUTS[layout]
    assert [len(part.points) for part in components] == LAYOUTS[layout]
    for part in components:
        assert len(set(part.points)) == len(part.points)
        assert {place for limb in part.limbs for place in limb} <= set(range(len(part.points)))
        assert all(0 <= value <= 255 for color in part.colors for value in color)


@pytest.mark.parametrize(("layout", "without"), [("mediapipe", {1}), ("openpose", set())])
def test_every_joint_has_one_point_but_the_neck_of_mediapipe(layout: str, without: set) -> None:
    joints = [joint for part in pose_points.LAYOUTS[layout] for joint in part.joints.values()]
    assert len(set(joints)) == len(joints)
    assert set(range(UPPER_BODY_50.num_joints)) - set(joints) == without
    for part in pose_points.LAYOUTS[layout]:
        assert set(part.joints) <= set(part.points)


def test_openpose_has_the_points_and_limbs_that_pose_format_gives_it() -> None:
    theirs = pytest.importorskip("pose_format.utils.openpose").OpenPose_Components
    for ours, other in zip(pose_points.LAYOUTS["openpose"], theirs, strict=True):
        assert (ours.name, list(ours.points)) == (other.name, list(other.points))
        assert set(map(frozenset, ours.limbs)) == set(map(frozenset, other.limbs))
