from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from signloom.errors import MissingExtraError
from signloom.features.keypoints import KeypointEstimator
from signloom.features.mediapipe import MediaPipe, to_keypoints
from signloom.poses.skeleton import BODY, LEFT_HAND, LEFT_SHOULDER, NECK, RIGHT_HAND, RIGHT_WRIST


def landmarks(count: int, *, visibility: float = 0.0) -> SimpleNamespace:
    """Give points whose x, y and z tell their numbers."""
    return SimpleNamespace(
        landmark=[
            SimpleNamespace(x=n / 100, y=n / 200, z=0.5 + n / 400, visibility=visibility)
            for n in range(count)
        ]
    )


def test_joints_are_in_pixels_and_depth_of_hands_is_relative_to_their_wrists() -> None:
    results = SimpleNamespace(
        pose_landmarks=landmarks(33, visibility=0.75),
        left_hand_landmarks=None,
        right_hand_landmarks=landmarks(21),
    )
    points, confidence = to_keypoints(results, (200, 400, 3))
    np.testing.assert_allclose(points[LEFT_SHOULDER], [11 * 4, 11, 0], rtol=1e-6)
    np.testing.assert_allclose(points[RIGHT_WRIST], [16 * 4, 16, 0], rtol=1e-6)
    each = np.arange(21)
    np.testing.assert_allclose(points[RIGHT_HAND], np.stack([4 * each, each, each], 1), atol=1e-4)
    assert confidence[NECK] == 0
    assert (confidence[LEFT_HAND] == 0).all()
    assert (confidence[RIGHT_HAND] == 1).all()
    assert (np.delete(confidence[BODY], NECK) == 0.75).all()


def test_nobody_is_seen_where_there_are_no_landmarks() -> None:
    nothing = SimpleNamespace(
        pose_landmarks=None, left_hand_landmarks=None, right_hand_landmarks=None
    )
    points, confidence = to_keypoints(nothing, (200, 400, 3))
    assert not points.any()
    assert not confidence.any()


def test_without_mediapipe_the_extra_is_named(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "mediapipe.python.solutions.holistic", None)
    monkeypatch.setitem(sys.modules, "mediapipe", None)
    with pytest.raises(MissingExtraError, match=r'pip install "signloom\[video\]"'):
        MediaPipe()


def test_a_real_picture_of_nobody_shows_nobody_before_and_after_a_reset(capfd) -> None:
    pytest.importorskip("mediapipe", reason="the extra `video` is not installed")
    estimator = MediaPipe()
    assert isinstance(estimator, KeypointEstimator)
    for _ in range(2):
        estimator.reset()
        assert not estimator.estimate(np.full((48, 64, 3), 90, np.uint8)).confidence.any()
    assert capfd.readouterr().err == ""
