"""Movement between two held poses, and what is done to a finished sequence.

Frames hold each hand relative to its wrist. In a transition the bones of a hand turn instead of
sliding: their directions are blended and their lengths kept, so that no finger shrinks when a hand
turns over. A bone that turns far passes on the camera's side, as a hand does that is raised.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.poses.skeleton import (
    LEFT_ELBOW,
    LEFT_HAND,
    LEFT_WRIST,
    RIGHT_ELBOW,
    RIGHT_HAND,
    RIGHT_WRIST,
)

Frames = NDArray[np.float32]

_ARM_BOW = 0.3
"""How far a forearm that turns over swings towards the middle of the body, of its length."""
_SIDES = (
    (RIGHT_ELBOW, RIGHT_WRIST, RIGHT_HAND, 1.0),
    (LEFT_ELBOW, LEFT_WRIST, LEFT_HAND, -1.0),
)


def minimum_jerk(times: NDArray[np.float64]) -> NDArray[np.float32]:
    """Give the part of the way covered at times 0 to 1: 10 t³ − 15 t⁴ + 6 t⁵."""
    return (times**3 * (10 - 15 * times + 6 * times**2)).astype(np.float32)


def blend(starts: Frames, ends: Frames, way: NDArray[np.float32], *, both: bool) -> Frames:
    """Blend pairs of frames, each at its own part of the way.

    Args:
        starts: [frames, 50, 3].
        ends: [frames, 50, 3].
        way: 0 (start) to 1 (end), [frames].
        both: Whether the left arm moves too; otherwise it is taken from `starts`.
    """
    blended = starts.copy()
    half_way = 4 * way * (1 - way)
    for elbow, wrist, hand, inwards in _SIDES[: 1 + both]:
        for joint in (elbow, wrist):
            blended[:, joint] += way[:, None] * (ends[:, joint] - starts[:, joint])
        bow = _bow(starts[:, wrist] - starts[:, elbow], ends[:, wrist] - ends[:, elbow])
        blended[:, wrist, 0] += inwards * half_way * bow
        blended[:, hand.start + 1 : hand.stop] = _turn_bones(
            starts[:, hand], ends[:, hand], way, half_way
        )
    return blended


def smooth_121(frames: Frames) -> Frames:
    """Filter over time with [1 2 1]/4; the first and the last frame stay as they are."""
    smoothed = frames.copy()
    smoothed[1:-1] = 0.25 * (frames[:-2] + frames[2:]) + 0.5 * frames[1:-1]
    return smoothed


def jitter(frames: Frames, rng: np.random.Generator) -> Frames:
    """Turn and scale arms and hands a little about the neck and shift the signing arm.

    Turn 1.5 degrees, scale 2 %, shift .01 shoulder widths (standard deviations). The torso stays.
    """
    draws = rng.normal(size=4).clip(-2.5, 2.5)
    angle, scale = np.radians(1.5) * draws[0], 1 + 0.02 * draws[1]
    cos, sin = scale * np.cos(angle), scale * np.sin(angle)
    matrix = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, scale]], dtype=np.float32)
    moved = frames.copy()
    parts = [LEFT_WRIST - 1, LEFT_WRIST, RIGHT_ELBOW, RIGHT_WRIST, *range(8, 50)]
    moved[:, parts] = frames[:, parts] @ matrix
    moved[:, RIGHT_WRIST, :2] += 0.01 * draws[2:].astype(np.float32)
    moved[:, RIGHT_ELBOW, :2] += 0.005 * draws[2:].astype(np.float32)
    return moved


def _bow(start: Frames, end: Frames) -> NDArray[np.float32]:
    lengths = np.linalg.norm(start, axis=-1) * np.linalg.norm(end, axis=-1)
    cosine = (start * end).sum(axis=-1) / lengths
    bow: NDArray[np.float32] = _ARM_BOW * np.sqrt(lengths) * ((1 - cosine) / 2) ** 2
    return bow


def _turn_bones(
    starts: Frames, ends: Frames, way: NDArray[np.float32], half_way: NDArray[np.float32]
) -> Frames:
    """Blend hands [frames, 21, 3]; give the joints but the root [frames, 20, 3]."""
    first, last = _bones(starts), _bones(ends)
    first_length = np.sqrt((first * first).sum(axis=-1, keepdims=True))
    last_length = np.sqrt((last * last).sum(axis=-1, keepdims=True))
    first /= first_length
    last /= last_length
    cosine = (first * last).sum(axis=-1)
    way = way[:, None, None, None]
    bones = first + way * (last - first)
    bones[..., 2] -= half_way[:, None, None] * ((1 - cosine) / 2) ** 2
    length = first_length + way * (last_length - first_length)
    bones *= length / np.sqrt((bones * bones).sum(axis=-1, keepdims=True) + 1e-12)
    return bones.cumsum(axis=2).reshape(len(starts), 20, 3)


def _bones(hands: Frames) -> Frames:
    """Give the vector of each bone [frames, 5 fingers, 4, 3]."""
    fingers = hands[:, 1:].reshape(len(hands), 5, 4, 3)
    bones = fingers.copy()
    bones[:, :, 1:] -= fingers[:, :, :-1]
    return bones
