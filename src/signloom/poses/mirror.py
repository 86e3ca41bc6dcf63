"""The mirror image of signing: what a left-handed signer does."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from signloom.poses.pose import Pose
from signloom.poses.skeleton import LEFT_HAND, LEFT_SHOULDER, LEFT_WRIST, RIGHT_HAND, UPPER_BODY_50

_Real = TypeVar("_Real", bound=np.floating)


def _swapped() -> list[int]:
    joints = list(range(UPPER_BODY_50.num_joints))
    arms = slice(LEFT_SHOULDER, LEFT_WRIST + 1), slice(LEFT_WRIST + 1, RIGHT_HAND.start)
    for one, other in (arms, (RIGHT_HAND, LEFT_HAND)):
        joints[one], joints[other] = joints[other], joints[one]
    return joints


SWAPPED = _swapped()
"""The joint of the other side for each of the 50; head and neck are their own."""


def mirror(frames: NDArray[_Real]) -> NDArray[_Real]:
    """Swap left and right: x changes its sign, and each joint becomes that of the other side.

    Args:
        frames: Positions [..., 50, 3], or positions relative to a wrist.

    Example:
        >>> frames = np.arange(150.0).reshape(50, 3)
        >>> mirror(frames)[4].tolist(), frames[7].tolist()
        ([-21.0, 22.0, 23.0], [21.0, 22.0, 23.0])
    """
    flipped: NDArray[_Real] = frames[..., SWAPPED, :] * np.array([-1, 1, 1], dtype=frames.dtype)
    return flipped


def mirror_pose(pose: Pose) -> Pose:
    """Mirror a pose of our 50 joints."""
    return Pose(mirror(pose.frames), pose.confidence[:, SWAPPED], pose.fps, pose.skeleton)
