"""Joints that were not seen: gaps filled over time, joints never seen placed by what is known.

A gap between two sightings is filled by linear interpolation, before the first and after the last
by the nearest; a hand's joints relative to its wrist, so that the hand goes where the arm goes.
What a recording never shows is guessed, and counted as missing: a hand is the relaxed one of the
rest pose, turned along its forearm; an elbow follows its wrist a part of the way; everything
else is at rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.poses.gaps import fill_gaps
from signloom.poses.pose import Pose
from signloom.poses.rest import rest_pose
from signloom.poses.skeleton import (
    BODY,
    LEFT_ELBOW,
    LEFT_HAND,
    LEFT_SHOULDER,
    LEFT_WRIST,
    RIGHT_ELBOW,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    RIGHT_WRIST,
)

Frames = NDArray[np.float32]

ELBOW_SHARE = 0.3
"""How far an elbow that nobody saw follows its wrist."""
ARMS = (
    (LEFT_SHOULDER, LEFT_ELBOW, LEFT_WRIST, LEFT_HAND),
    (RIGHT_SHOULDER, RIGHT_ELBOW, RIGHT_WRIST, RIGHT_HAND),
)


def missing_share(pose: Pose) -> float:
    """Give the share of joints, over all frames, that were not seen."""
    return float((pose.confidence <= 0).mean())


def complete(pose: Pose) -> Pose:
    """Give the same movement with every joint in every frame, all of confidence 1."""
    seen: NDArray[np.bool_] = np.asarray(pose.confidence > 0)
    if seen.all():
        return pose
    ever = np.asarray(seen.any(axis=0))
    known = np.where(ever, pose.confidence, np.float32(1))
    # Where joints are that nobody has seen is decided below; until then they are at the origin.
    frames = fill_gaps(Pose(pose.frames, known, pose.fps)).frames.copy()
    _place_body(frames, ever)
    _place_hands(frames, ever)
    return Pose.of(frames, fps=pose.fps)


def _place_body(frames: Frames, ever: NDArray[np.bool_]) -> None:
    """Place joints of the body that no frame shows, parents before children."""
    rest = rest_pose()
    for joint in np.flatnonzero(~ever[BODY]):
        frames[:, joint] = rest[joint]
    for shoulder, elbow, wrist, _ in ARMS:
        if not ever[elbow]:
            frames[:, elbow] = frames[:, shoulder] + rest[elbow] - rest[shoulder]
        if ever[wrist] and not ever[elbow]:
            moved = frames[:, wrist] - frames[:, shoulder] - (rest[wrist] - rest[shoulder])
            frames[:, elbow] += ELBOW_SHARE * moved
        if not ever[wrist]:
            frames[:, wrist] = frames[:, elbow] + rest[wrist] - rest[elbow]


def _place_hands(frames: Frames, ever: NDArray[np.bool_]) -> None:
    """Place joints of hands that no frame shows: the relaxed hand, turned along its forearm."""
    rest = rest_pose()
    for _, elbow, wrist, hand in ARMS:
        unseen = np.flatnonzero(~ever[hand]) + int(hand.start)
        if len(unseen):
            turn = _angle(frames[:, wrist] - frames[:, elbow])
            turn = turn - _angle((rest[wrist] - rest[elbow])[None])
            relaxed = (rest[unseen] - rest[wrist])[None]
            frames[:, unseen] = frames[:, wrist, None] + _turned(relaxed, turn)


def _angle(bones: Frames) -> NDArray[np.float32]:
    """Give the angle of bones [frames, 3] in the image plane."""
    return np.asarray(np.arctan2(bones[:, 1], bones[:, 0]))


def _turned(joints: Frames, angles: NDArray[np.float32]) -> Frames:
    """Turn joints [1, joints, 3] in the image plane, once a frame."""
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y, z = (joints[..., axis] for axis in range(3))
    turned = np.stack([cos * x - sin * y, sin * x + cos * y, z + 0 * cos], axis=-1)
    return np.asarray(turned, dtype=np.float32)
