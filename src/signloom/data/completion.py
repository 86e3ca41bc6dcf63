"""Joints that were not seen: gaps filled over time, joints never seen placed by what is known.

A gap between two sightings is filled by linear interpolation, before the first and after the last
by the nearest. What a recording never shows is guessed and counted as missing: a hand is the
relaxed one of the rest pose, turned along its forearm; an elbow bends outwards between shoulder
and wrist; everything else is at rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.data.rest import FOREARM, UPPER_ARM, rest_pose
from signloom.poses.pose import Pose
from signloom.poses.skeleton import (
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
    frames = pose.frames.copy()
    for joint in np.flatnonzero(seen.any(axis=0) & ~seen.all(axis=0)):
        _fill(frames[:, joint], seen[:, joint])
    _place_unseen(frames, np.asarray(seen.any(axis=0)))
    return Pose.of(frames, fps=pose.fps)


def _fill(positions: Frames, seen: NDArray[np.bool_]) -> None:
    """Interpolate one joint's positions [frames, 3] in place."""
    times = np.arange(len(positions))
    for axis in range(3):
        positions[~seen, axis] = np.interp(times[~seen], times[seen], positions[seen, axis])


def _place_unseen(frames: Frames, seen: NDArray[np.bool_]) -> None:
    """Place the joints that no frame shows, parents before children."""
    rest = rest_pose()
    body = np.flatnonzero(~seen[:8])
    frames[:, body] = rest[body]
    for shoulder, elbow, wrist, hand in ARMS:
        if seen[wrist] and not seen[elbow]:
            frames[:, elbow] = _bent_elbow(frames[:, shoulder], frames[:, wrist])
        elif not seen[wrist]:
            start = elbow if seen[elbow] else shoulder
            frames[:, wrist] = frames[:, start] + rest[wrist] - rest[start]
            if not seen[elbow]:
                frames[:, elbow] = frames[:, shoulder] + rest[elbow] - rest[shoulder]
        unseen = np.flatnonzero(~seen[hand]) + int(hand.start)
        if len(unseen):
            relaxed = (rest[unseen] - rest[wrist])[None]
            forearm = frames[:, wrist] - frames[:, elbow]
            resting = rest[wrist] - rest[elbow]
            turned = _turned(relaxed, _angle(forearm) - _angle(resting[None]))
            frames[:, unseen] = frames[:, wrist, None] + turned


def _bent_elbow(shoulder: Frames, wrist: Frames) -> Frames:
    """Put the elbow between shoulder and wrist [frames, 3], in the image plane, outwards."""
    way = wrist - shoulder
    distance = np.linalg.norm(way[:, :2], axis=-1)
    reach = np.clip(distance, abs(UPPER_ARM - FOREARM) + 1e-3, UPPER_ARM + FOREARM)
    along = (reach**2 + UPPER_ARM**2 - FOREARM**2) / (2 * reach)
    aside = np.sqrt(np.maximum(UPPER_ARM**2 - along**2, 0))
    unit = way[:, :2] / np.maximum(distance, 1e-6)[:, None]
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=-1)
    # Outwards is away from the neck, which is the origin.
    outwards = np.sign(shoulder[:, :1]) * np.sign(normal[:, :1])
    elbow = np.zeros_like(shoulder)
    elbow[:, :2] = shoulder[:, :2] + along[:, None] * unit + (aside[:, None] * outwards) * normal
    return elbow


def _angle(bones: Frames) -> NDArray[np.float32]:
    """Give the angle of bones [frames, 3] in the image plane."""
    return np.asarray(np.arctan2(bones[:, 1], bones[:, 0]))


def _turned(joints: Frames, angles: NDArray[np.float32]) -> Frames:
    """Turn joints [1, joints, 3] in the image plane, once a frame."""
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y, z = (joints[..., axis] for axis in range(3))
    turned = np.stack([cos * x - sin * y, sin * x + cos * y, z + 0 * cos], axis=-1)
    return np.asarray(turned, dtype=np.float32)
