"""MediaPipe Holistic: the names, limbs and colours that `.pose` viewers expect, and our joints.

Only names are used to bind, never positions in the file: lexica hold 178, 543, 553, 576 and 586
points, depending on the face model, on whether world coordinates are kept and on whether points
that nobody needs were dropped.
"""

from __future__ import annotations

from signloom.poses.formats.component import Component, hand_component
from signloom.poses.skeleton import LEFT_HAND, RIGHT_HAND

FACE = "FACE_LANDMARKS"
_BODY_POINTS = (
    "NOSE",
    *("LEFT_EYE_INNER", "LEFT_EYE", "LEFT_EYE_OUTER"),
    *("RIGHT_EYE_INNER", "RIGHT_EYE", "RIGHT_EYE_OUTER"),
    *("LEFT_EAR", "RIGHT_EAR", "MOUTH_LEFT", "MOUTH_RIGHT"),
    *(
        f"{side}_{name}"
        for name in (
            *("SHOULDER", "ELBOW", "WRIST", "PINKY", "INDEX", "THUMB"),
            *("HIP", "KNEE", "ANKLE", "HEEL", "FOOT_INDEX"),
        )
        for side in ("LEFT", "RIGHT")
    ),
)
_HAND_POINTS = (
    "WRIST",
    *(f"THUMB_{part}" for part in ("CMC", "MCP", "IP", "TIP")),
    *(
        f"{finger}_{part}"
        for finger in ("INDEX_FINGER", "MIDDLE_FINGER", "RING_FINGER", "PINKY")
        for part in ("MCP", "PIP", "DIP", "TIP")
    ),
)
_BODY_LIMBS = (
    *((0, 1), (1, 2), (2, 3), (3, 7), (0, 4), (4, 5), (5, 6), (6, 8), (9, 10)),
    *((11, 12), (11, 13), (13, 15), (15, 17), (15, 19), (15, 21), (17, 19)),
    *((12, 14), (14, 16), (16, 18), (16, 20), (16, 22), (18, 20)),
    *((11, 23), (12, 24), (23, 24), (23, 25), (24, 26), (25, 27), (26, 28)),
    *((27, 29), (28, 30), (29, 31), (30, 32), (27, 31), (28, 32)),
)
_HAND_LIMBS = (
    *((0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 6), (6, 7), (7, 8)),
    *((5, 9), (9, 10), (10, 11), (11, 12), (9, 13), (13, 14), (14, 15), (15, 16)),
    *((13, 17), (0, 17), (17, 18), (18, 19), (19, 20)),
)
BODY = Component(
    name="POSE_LANDMARKS",
    points=_BODY_POINTS,
    limbs=_BODY_LIMBS,
    colors=((255, 0, 0),),
    joints={
        "NOSE": 0,
        "LEFT_SHOULDER": 2,
        "LEFT_ELBOW": 3,
        "LEFT_WRIST": 4,
        "RIGHT_SHOULDER": 5,
        "RIGHT_ELBOW": 6,
        "RIGHT_WRIST": 7,
    },
)
COMPONENTS = (
    BODY,
    hand_component("LEFT_HAND_LANDMARKS", _HAND_POINTS, limbs=_HAND_LIMBS, hand=LEFT_HAND),
    hand_component("RIGHT_HAND_LANDMARKS", _HAND_POINTS, limbs=_HAND_LIMBS, hand=RIGHT_HAND),
)
"""What is written, without the face. The neck has no point; it lies between the shoulders."""
