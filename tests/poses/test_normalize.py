from __future__ import annotations

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.normalize import STD_FLOOR, Standardiser, from_features, to_features


def test_features_go_back_to_the_joints(make_pose) -> None:
    frames = make_pose(7).frames
    np.testing.assert_allclose(from_features(to_features(frames)), frames, atol=1e-6)


def test_a_handshape_has_the_same_features_wherever_the_hand_is(make_pose) -> None:
    features = to_features(make_pose(11).frames).reshape(11, 50, 3)
    np.testing.assert_allclose(features[:, 8:29], features[:1, 8:29].repeat(11, 0), atol=1e-6)
    assert np.ptp(features[:, 7], axis=0).max() > 0.1


def test_features_leave_their_input_alone_and_keep_leading_axes(make_pose) -> None:
    frames = make_pose(5).frames
    before = frames.copy()
    assert to_features(frames[None]).shape == (1, 5, 150)
    assert from_features(to_features(frames[None])).shape == (1, 5, 50, 3)
    np.testing.assert_array_equal(frames, before)


def test_standardising_inverts_and_has_a_floor() -> None:
    features = np.random.default_rng(0).normal(3, 2, size=(113, 150)).astype(np.float32)
    features[:, 5] = 1
    scale = Standardiser.fit(features)
    assert scale.std[5] == np.float32(STD_FLOOR)
    standard = scale.apply(features)
    assert standard.dtype == np.float32
    np.testing.assert_allclose(standard.mean(0), 0, atol=1e-3)
    np.testing.assert_allclose(scale.invert(standard), features, atol=1e-4)


def test_statistics_survive_a_dictionary_and_refuse_a_wrong_one() -> None:
    scale = Standardiser(np.arange(150, dtype=np.float32), np.ones(150, np.float32))
    again = Standardiser.from_dict(scale.to_dict())
    np.testing.assert_array_equal(again.mean, scale.mean)
    np.testing.assert_array_equal(again.std, scale.std)
    for wrong in ({}, {"mean": [1.0], "std": [1.0]}, {"mean": "x", "std": []}):
        with pytest.raises(FormatError):
            Standardiser.from_dict(wrong)
