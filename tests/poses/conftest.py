"""A signer to test with: canonical body, a hand that moves, no data needed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from signloom.poses.pose import Pose
from signloom.poses.skeleton import LEFT_HAND, RIGHT_HAND

BODY = [
    (0.0, -0.56, 0.0),
    (0.0, 0.0, 0.0),
    (0.5, 0.0, 0.0),
    (0.7, 0.75, 0.0),
    (0.6, 1.5, 0.0),
    (-0.5, 0.0, 0.0),
    (-0.8, 0.7, 0.0),
    (-0.7, 0.1, 0.0),
]
MakePose = Callable[..., Pose]


def _open_hand() -> np.ndarray:
    hand = np.zeros((21, 3), dtype=np.float32)
    for finger in range(5):
        for part in range(4):
            x = (finger - 2) * 0.08
            hand[1 + 4 * finger + part] = (x * (1 + part / 4), -0.2 - 0.09 * part, -0.01 * part)
    return hand


def moving_pose(frames: int, *, fps: float = 25.0) -> Pose:
    """Make a pose whose right hand goes round in a circle of one second."""
    positions = np.zeros((frames, 50, 3), dtype=np.float32)
    positions[:, :8] = BODY
    turn = 2 * np.pi * np.arange(frames, dtype=np.float32) / fps
    positions[:, 7, 0] += 0.2 * np.sin(turn)
    positions[:, 7, 1] += 0.2 * np.cos(turn)
    positions[:, RIGHT_HAND] = positions[:, 7:8] + _open_hand()
    positions[:, LEFT_HAND] = positions[:, 4:5] - _open_hand()
    return Pose.of(positions, fps=fps)


@pytest.fixture
def make_pose() -> MakePose:
    return moving_pose
