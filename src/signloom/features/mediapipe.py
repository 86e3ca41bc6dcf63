"""MediaPipe Holistic as an estimator: body and both hands in one picture after the other.

Depth is kept as the readers of such files keep it: that of the body is too noisy to use and set to
0, that of a hand is relative to its wrist, in widths of the picture like x.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from signloom.errors import MissingExtraError
from signloom.features.footage import Picture
from signloom.features.keypoints import Keypoints
from signloom.poses.formats.mediapipe import BODY
from signloom.poses.skeleton import LEFT_HAND, RIGHT_HAND

COMPLEXITY = 1
"""The middle one of MediaPipe's three models of the body."""
_POINTS = [BODY.points.index(name) for name in BODY.joints]
_JOINTS = list(BODY.joints.values())


class MediaPipe:
    """Finds body and hands by MediaPipe Holistic; a `KeypointEstimator`.

    Raises:
        MissingExtraError: MediaPipe is not installed.
    """

    def __init__(self) -> None:
        try:
            with _silence():
                from mediapipe.python.solutions.holistic import Holistic
        except ImportError as error:
            raise MissingExtraError("video", "Finding a signer in a video") from error
        self._make: Any = Holistic
        self._holistic: Any = None

    def reset(self) -> None:
        """Forget where the signer was."""
        if self._holistic is not None:
            self._holistic.close()
        self._holistic = None

    def estimate(self, picture: Picture) -> Keypoints:
        """Find the joints in the next picture, uint8 [height, width, 3]."""
        if self._holistic is not None:
            return to_keypoints(self._holistic.process(picture), picture.shape)
        with _silence():
            self._holistic = self._make(model_complexity=COMPLEXITY)
            return to_keypoints(self._holistic.process(picture), picture.shape)


def to_keypoints(results: Any, shape: tuple[int, ...]) -> Keypoints:
    """Take our joints from what MediaPipe Holistic gives.

    Args:
        results: `pose_landmarks`, `left_hand_landmarks` and `right_hand_landmarks`, each of them
            None where nothing is seen; in parts of the picture's width and height.
        shape: Height and width of the picture in pixels, and whatever follows.
    """
    points, confidence = Keypoints.nobody()
    if results.pose_landmarks is not None:
        body = [results.pose_landmarks.landmark[place] for place in _POINTS]
        points[_JOINTS, :2] = [(one.x, one.y) for one in body]
        confidence[_JOINTS] = np.clip([one.visibility for one in body], 0, 1)
    hands = (LEFT_HAND, results.left_hand_landmarks), (RIGHT_HAND, results.right_hand_landmarks)
    for hand, found in hands:
        if found is not None:
            points[hand] = [(one.x, one.y, one.z - found.landmark[0].z) for one in found.landmark]
            confidence[hand] = 1
    height, width = shape[:2]
    return Keypoints(points * np.array([width, height, width], dtype=np.float32), confidence)


@contextmanager
def _silence() -> Iterator[None]:
    """Drop what the library writes to standard error, past Python, whenever a film begins."""
    try:
        kept = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
