"""Put something in the place of joints that were not seen, for formats that have none missing.

A gap is bridged by a straight line in time between the frames on either side, or the nearest frame
at the ends. A hand is bridged relative to its wrist, so that it goes where the arm goes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.pose import Pose
from signloom.poses.skeleton import (
    BODY,
    LEFT_HAND,
    LEFT_WRIST,
    RIGHT_HAND,
    RIGHT_WRIST,
    UPPER_BODY_50,
)

FILLED = 0.1
"""Confidence of what was not seen but put in."""


def fill_gaps(pose: Pose) -> Pose:
    """Give the pose without missing joints; those put in have confidence 0.1.

    Args:
        pose: Of the 50 joints of `UPPER_BODY_50`.

    Raises:
        FormatError: A joint is never seen, so that nothing is known about it.
    """
    seen = pose.confidence > 0
    if seen.all():
        return pose
    never = np.flatnonzero(~seen.any(axis=0))
    if len(never):
        raise FormatError(
            f"Every joint must be seen in some frame to fill its gaps, but "
            f"{UPPER_BODY_50.joints[int(never[0])]} is never seen."
        )
    frames = pose.frames.copy()
    for joint in range(BODY.start, BODY.stop):
        frames[:, joint] = _bridged(frames[:, joint], seen[:, joint])
    for hand, wrist in ((RIGHT_HAND, RIGHT_WRIST), (LEFT_HAND, LEFT_WRIST)):
        for joint in range(hand.start, hand.stop):
            offset = _bridged(frames[:, joint] - frames[:, wrist], seen[:, joint])
            frames[:, joint] = np.where(
                seen[:, joint, None], frames[:, joint], offset + frames[:, wrist]
            )
    confidence = np.where(seen, pose.confidence, np.float32(FILLED))
    return Pose(frames, confidence, pose.fps, pose.skeleton)


def _bridged(values: NDArray[np.float32], seen: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Interpolate [frames, 3] where a joint was not seen."""
    times = np.arange(len(values))
    known = times[seen]
    axes = [np.interp(times, known, values[seen, axis]) for axis in range(values.shape[1])]
    return np.stack(axes, axis=1).astype(np.float32)
