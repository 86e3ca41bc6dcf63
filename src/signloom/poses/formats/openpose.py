"""OpenPose's 137 points: the names, limbs and colours that `.pose` viewers expect, and our joints.

Body of 25 points, face of 70 and hands of 21 each, as `pose-format` names them.
"""

from __future__ import annotations

from itertools import pairwise

from signloom.poses.formats.component import Component, hand_component
from signloom.poses.skeleton import LEFT_HAND, RIGHT_HAND

FACE = "face_keypoints_2d"
_BODY_POINTS = (
    *("Nose", "Neck", "RShoulder", "RElbow", "RWrist", "LShoulder", "LElbow", "LWrist"),
    *("MidHip", "RHip", "RKnee", "RAnkle", "LHip", "LKnee", "LAnkle"),
    *("REye", "LEye", "REar", "LEar"),
    *("LBigToe", "LSmallToe", "LHeel", "RBigToe", "RSmallToe", "RHeel"),
)
_BODY_LIMBS = (
    *((1, 2), (2, 3), (3, 4), (1, 5), (5, 6), (6, 7), (1, 8)),
    *((0, 16), (0, 15), (0, 18), (0, 17), (1, 0)),
    *((8, 9), (9, 10), (10, 11), (8, 12), (12, 13), (13, 14)),
    *((11, 24), (11, 22), (22, 23), (14, 21), (14, 19), (19, 20)),
)
_FACE_PARTS = (("FB", 17), ("FEB", 10), ("FN", 9), ("FE", 12), ("FLO", 12), ("FLI", 8), ("FP", 2))
_FACE_LINES = (
    *((0, 17), (17, 22), (22, 27), (27, 32), (31, 36)),
    *((36, 42), (42, 48), (48, 60), (60, 68)),
)
"""The points along each line of the face: the first, and the one after the last."""
_FACE_RINGS = (36, 42, 48, 60)
_HAND_POINTS = (
    "BASE",
    *(f"T_{part}" for part in ("STT", "BCMC", "MCP", "IP")),
    *(f"{finger}_{part}" for finger in "IMRP" for part in ("CMC", "MCP", "PIP", "DIP")),
)
_HAND_LIMBS = tuple(
    limb for finger in range(5) for limb in pairwise((0, *range(1 + 4 * finger, 5 + 4 * finger)))
)


def _face_points() -> tuple[str, ...]:
    parts = [part for part, count in _FACE_PARTS for _ in range(count)]
    return tuple(f"{part}_{number}" for number, part in enumerate(parts))


def _face_limbs() -> tuple[tuple[int, int], ...]:
    lines = [limb for first, end in _FACE_LINES for limb in pairwise(range(first, end))]
    rings = [(end - 1, first) for first, end in _FACE_LINES if first in _FACE_RINGS]
    return (*lines, *rings, (30, 33))


BODY = Component(
    name="pose_keypoints_2d",
    points=_BODY_POINTS,
    limbs=_BODY_LIMBS,
    colors=((255, 0, 0),),
    joints={
        "Nose": 0,
        "Neck": 1,
        "LShoulder": 2,
        "LElbow": 3,
        "LWrist": 4,
        "RShoulder": 5,
        "RElbow": 6,
        "RWrist": 7,
    },
)
COMPONENTS = (
    BODY,
    Component(FACE, _face_points(), _face_limbs(), colors=((128, 0, 0),), joints={}),
    hand_component("hand_left_keypoints_2d", _HAND_POINTS, limbs=_HAND_LIMBS, hand=LEFT_HAND),
    hand_component("hand_right_keypoints_2d", _HAND_POINTS, limbs=_HAND_LIMBS, hand=RIGHT_HAND),
)
"""What is written; we have no face, so its points have confidence 0."""
