from __future__ import annotations

import numpy as np

from signloom.poses.lifting.bones import CHILDREN, OTHER_SIDE, estimate_lengths, template
from signloom.poses.skeleton import BODY, LEFT_HAND, LEFT_WRIST, NECK, RIGHT_HAND, RIGHT_WRIST

LEFT = np.isin(CHILDREN, np.r_[LEFT_HAND])
BODY_BONES = np.isin(CHILDREN, np.r_[BODY])


def all_seen(joints: np.ndarray) -> np.ndarray:
    return np.ones(joints.shape[:2], dtype=bool)


def test_lengths_and_scales_of_a_known_signer_are_found(signer):
    scales = 1 + 0.03 * np.sin(np.arange(len(signer)))
    flat = (signer * scales[:, None, None])[..., :2]
    bones = estimate_lengths(flat, all_seen(flat))
    np.testing.assert_allclose(bones.lengths, template(), rtol=0.01)
    np.testing.assert_allclose(bones.scales, scales, atol=0.01)


def test_both_sides_are_as_long(signer):
    lengths = estimate_lengths(signer[..., :2], all_seen(signer)).lengths
    np.testing.assert_array_equal(lengths, lengths[OTHER_SIDE])
    assert (OTHER_SIDE[OTHER_SIDE] == np.arange(len(CHILDREN))).all()


def test_frames_in_which_a_joint_was_not_seen_do_not_count(signer):
    flat, seen = signer[..., :2].copy(), all_seen(signer)
    flat[50:, [LEFT_WRIST, RIGHT_WRIST]], seen[50:, [LEFT_WRIST, RIGHT_WRIST]] = 0, False
    np.testing.assert_allclose(estimate_lengths(flat, seen).lengths, template(), rtol=0.03)


def test_a_hand_never_seen_is_as_long_as_the_other(signer):
    seen = all_seen(signer)
    seen[:, LEFT_HAND] = False
    lengths = estimate_lengths(signer[..., :2], seen).lengths
    np.testing.assert_allclose(lengths[LEFT], template()[LEFT], rtol=0.01)


def test_a_bone_that_never_lies_flat_is_held_near_the_template(signer):
    flat = signer[..., :2].copy()
    wrists = np.isin(CHILDREN, (LEFT_WRIST, RIGHT_WRIST))
    flat[:, LEFT_WRIST], flat[:, RIGHT_WRIST] = flat[:, 3], flat[:, 6]
    lengths = estimate_lengths(flat, all_seen(flat)).lengths
    np.testing.assert_allclose(lengths[wrists], 0.75 * template()[wrists], rtol=0.01)


def test_where_nothing_is_known_the_template_holds():
    nothing = np.zeros((3, 50), dtype=bool)
    nothing[:, NECK] = True
    bones = estimate_lengths(np.zeros((3, 50, 2)), nothing)
    np.testing.assert_allclose(bones.lengths, template(), rtol=1e-5)
    assert (bones.scales == 1).all()


def test_hands_close_to_the_camera_are_measured_by_themselves(signer):
    flat = signer[..., :2].copy()
    flat[:, LEFT_HAND] += 0.6 * (flat[:, LEFT_HAND] - flat[:, [LEFT_HAND.start]])
    flat[:, RIGHT_HAND] += 0.6 * (flat[:, RIGHT_HAND] - flat[:, [RIGHT_HAND.start]])
    tips = [LEFT_HAND.start + 4, RIGHT_HAND.start + 4]
    flat[:, tips] = flat[:, [tip - 1 for tip in tips]]  # of a thumb that nobody sees from the side
    lengths = estimate_lengths(flat, all_seen(flat)).lengths
    thumbs = np.isin(CHILDREN, tips)
    np.testing.assert_allclose(lengths[thumbs], 0.75 * 1.6 * template()[thumbs], rtol=0.02)
    np.testing.assert_allclose(lengths[BODY_BONES], template()[BODY_BONES], rtol=0.02)
