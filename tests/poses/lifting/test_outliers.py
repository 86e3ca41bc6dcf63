from __future__ import annotations

import numpy as np
import pytest

from signloom.poses.lifting.outliers import find_outliers
from signloom.poses.skeleton import LEFT_ELBOW, LEFT_HAND, LEFT_WRIST


@pytest.fixture
def joints(signer) -> np.ndarray:
    return signer[:113, :, :2].copy()


def found(joints: np.ndarray, seen: np.ndarray | None = None) -> list[list[int]]:
    seen = np.ones(joints.shape[:2], dtype=bool) if seen is None else seen
    return np.argwhere(find_outliers(joints, seen)).tolist()


def test_a_signer_has_no_outliers(joints):
    assert found(joints) == []


def test_a_signer_three_times_as_fast_has_none_either(joints):
    assert found(joints[::3]) == []


def test_a_bone_far_too_long_is_found_however_long_it_stays(joints):
    tip = LEFT_HAND.start + 20
    joints[40:60, tip] += 0.6
    assert found(joints) == [[frame, tip] for frame in range(40, 60)]


def test_a_jump_there_and_back_is_found(joints):
    forearm = joints[:, LEFT_WRIST] - joints[:, LEFT_ELBOW]
    frame = 20 + int(np.linalg.norm(forearm[20:90], axis=-1).argmax())
    turned = slice(frame, frame + 2)
    joints[turned, LEFT_WRIST] -= 2 * forearm[turned]
    joints[turned, LEFT_HAND] -= 2 * forearm[turned, None]
    assert found(joints) == [[frame, LEFT_WRIST], [frame + 1, LEFT_WRIST]]


def test_what_hangs_on_a_discarded_joint_is_not_blamed(joints):
    joints[70, LEFT_ELBOW, 1] -= 4
    assert found(joints) == [[70, LEFT_ELBOW]]


def test_a_joint_that_was_not_seen_is_no_outlier(joints):
    seen = np.ones(joints.shape[:2], dtype=bool)
    joints[70, LEFT_WRIST], seen[70, LEFT_WRIST] = 9, False
    assert found(joints, seen) == []


def test_one_frame_is_told_by_the_template_alone(joints):
    assert found(joints[:1]) == []
    joints[0, LEFT_WRIST] += 3
    assert [0, LEFT_WRIST] in found(joints[:1])
