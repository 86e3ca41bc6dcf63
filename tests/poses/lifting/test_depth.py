from __future__ import annotations

import numpy as np

from signloom.poses.lifting.bones import CHILDREN, BoneLengths, template
from signloom.poses.lifting.depth import GENERATIONS, TOLERANCE, lift_joints

ALL = np.ones(50, dtype=bool)


def lifted(joints: np.ndarray) -> np.ndarray:
    bones = BoneLengths(template(), np.ones(len(joints)))
    return lift_joints(joints[..., :2], ALL, bones)


def trembling(frames: np.ndarray) -> float:
    return float(np.abs(np.diff(frames[..., 2], n=2, axis=0)).mean())


def test_every_bone_is_placed_once_and_after_its_parent():
    order = [int(child) for bones in GENERATIONS for child in CHILDREN[bones]]
    assert sorted(order) == sorted(CHILDREN.tolist())
    assert order.index(3) < order.index(4) < order.index(29) < order.index(45)


def test_noise_within_the_tolerance_does_not_make_depth_tremble(signer):
    noise = np.random.default_rng(3).uniform(-0.5, 0.5, signer.shape) * TOLERANCE
    noisy = signer + noise
    assert trembling(lifted(noisy)) < 2 * trembling(signer)


def test_a_joint_out_of_reach_comes_within_it(signer):
    far = signer.copy()
    far[:, 4, 0] += 5
    frames = lifted(far)
    reach = np.linalg.norm(frames[:, 4] - frames[:, 3], axis=-1)
    np.testing.assert_allclose(reach, template()[CHILDREN == 4][0], rtol=1e-6)
    assert (frames[:, 4, 2] == frames[:, 3, 2]).all()


def test_missing_joints_are_left_where_they_are_and_what_hangs_on_them_starts_anew(signer):
    present = ALL.copy()
    present[3] = False
    bones = BoneLengths(template(), np.ones(len(signer)))
    frames = lift_joints(signer[..., :2], present, bones)
    np.testing.assert_array_equal(frames[:, 3:5, :2], signer[:, 3:5, :2])
    assert (frames[:, 3:5, 2] == 0).all()
    assert (frames[:, 29, 2] < 0).any()
