"""Movement between two held poses, and what is done to a finished sequence.

Arms are arrays [frames, arms, 23, 3]: elbow, wrist, then the hand relative to the wrist; the right
arm first. In a transition the bones of a hand turn instead of sliding: their directions are blended
and their lengths kept, so that no finger shrinks when a hand turns over. A bone that turns far
passes on the camera's side, as a hand does that is raised.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Arms = NDArray[np.float32]

ELBOW, WRIST, HAND = 0, 1, slice(2, 23)
_INWARDS = np.array([1, -1], dtype=np.float32)
_ARM_BOW = 0.3
"""How far a forearm that turns over swings towards the middle of the body, of its length."""
_TURN_DEGREES, _SCALE, _SHIFT = 1.5, 0.02, 0.01


def blend(starts: Arms, ends: Arms, way: NDArray[np.float32]) -> Arms:
    """Blend pairs of arms, each at its own part of the way.

    Args:
        starts: [frames, arms, 23, 3].
        ends: [frames, arms, 23, 3].
        way: 0 (start) to 1 (end), [frames].
    """
    blended = np.zeros_like(starts)
    half_way = 4 * way * (1 - way)
    first, last = starts[:, :, :2], ends[:, :, :2]
    blended[:, :, :2] = first + way[:, None, None, None] * (last - first)
    bow = _bow(first[:, :, WRIST] - first[:, :, ELBOW], last[:, :, WRIST] - last[:, :, ELBOW])
    blended[:, :, WRIST, 0] += _INWARDS[: starts.shape[1]] * half_way[:, None] * bow
    blended[:, :, 3:] = _turn_bones(starts[:, :, 3:], ends[:, :, 3:], way, half_way)
    return blended


def smooth_121(arms: Arms) -> Arms:
    """Filter over time with [1 2 1]/4; the first and the last frame stay as they are."""
    smoothed = 0.5 * arms
    smoothed[1:-1] += 0.25 * (arms[:-2] + arms[2:])
    smoothed[[0, -1]] = arms[[0, -1]]
    return smoothed


def jitter(arms: Arms, rng: np.random.Generator) -> Arms:
    """Turn and scale the arms that sign a little about the neck, and shift them.

    Turn 1.5 degrees, scale 2 %, shift .01 shoulder widths along x and y (standard deviations).
    """
    draws = rng.normal(size=4).clip(-2.5, 2.5).astype(np.float32)
    angle, scale = np.radians(_TURN_DEGREES) * draws[0], 1 + _SCALE * draws[1]
    cos, sin = scale * np.cos(angle), scale * np.sin(angle)
    moved = arms @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, scale]], dtype=np.float32)
    moved[:, :, WRIST, :2] += _SHIFT * draws[2:]
    moved[:, :, ELBOW, :2] += _SHIFT / 2 * draws[2:]
    return moved


def slide(arms: Arms, distance: float) -> Arms:
    """Shift the right arm away from the middle of the body, the elbow half as far."""
    slid = arms.copy()
    slid[:, 0, WRIST, 0] -= distance
    slid[:, 0, ELBOW, 0] -= distance / 2
    return slid


def _bow(start: Arms, end: Arms) -> Arms:
    lengths = np.sqrt((start * start).sum(axis=-1) * (end * end).sum(axis=-1))
    cosine = (start * end).sum(axis=-1) / lengths
    bow: Arms = _ARM_BOW * np.sqrt(lengths) * ((1 - cosine) / 2) ** 2
    return bow


def _turn_bones(
    starts: Arms, ends: Arms, way: NDArray[np.float32], half_way: NDArray[np.float32]
) -> Arms:
    """Blend the joints of hands but their roots [frames, arms, 20, 3]."""
    first, first_length = _bones(starts)
    last, last_length = _bones(ends)
    turned = (1 - np.einsum("...i,...i->...", first, last)) / 2
    way = way[:, None, None, None, None]
    bones = first + way * (last - first)
    bones[..., 2] -= half_way[:, None, None, None] * turned * turned
    length = first_length + way * (last_length - first_length)
    bones *= length / np.sqrt(np.einsum("...i,...i->...", bones, bones) + 1e-12)[..., None]
    return bones.cumsum(axis=3).reshape(starts.shape)


def _bones(joints: Arms) -> tuple[Arms, Arms]:
    """Give the direction of each bone [frames, arms, 5, 4, 3] and its length [..., 1]."""
    fingers = joints.reshape(*joints.shape[:2], 5, 4, 3)
    bones = fingers.copy()
    bones[..., 1:, :] -= fingers[..., :-1, :]
    length = np.sqrt(np.einsum("...i,...i->...", bones, bones))[..., None]
    return bones / length, length
