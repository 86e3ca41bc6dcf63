"""MediaPipe Holistic: the names, limbs and colours that `.pose` viewers expect, and our joints.

Only names are used to bind, never positions in the file: lexica hold 543, 553, 576 and 586
points, depending on the face model and on whether world coordinates are kept.
"""

from __future__ import annotations

from signloom.poses.skeleton import LEFT_HAND, RIGHT_HAND

BODY = "POSE_LANDMARKS"
FACE = "FACE_LANDMARKS"
HANDS = {"LEFT_HAND_LANDMARKS": LEFT_HAND, "RIGHT_HAND_LANDMARKS": RIGHT_HAND}

BODY_POINTS = (
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
HAND_POINTS = (
    "WRIST",
    *(f"THUMB_{part}" for part in ("CMC", "MCP", "IP", "TIP")),
    *(
        f"{finger}_{part}"
        for finger in ("INDEX_FINGER", "MIDDLE_FINGER", "RING_FINGER", "PINKY")
        for part in ("MCP", "PIP", "DIP", "TIP")
    ),
)
BODY_JOINTS = {
    "NOSE": 0,
    "LEFT_SHOULDER": 2,
    "LEFT_ELBOW": 3,
    "LEFT_WRIST": 4,
    "RIGHT_SHOULDER": 5,
    "RIGHT_ELBOW": 6,
    "RIGHT_WRIST": 7,
}
"""Our joint for each point of the body that we have; the neck lies between the shoulders."""

BODY_LIMBS = (
    *((0, 1), (1, 2), (2, 3), (3, 7), (0, 4), (4, 5), (5, 6), (6, 8), (9, 10)),
    *((11, 12), (11, 13), (13, 15), (15, 17), (15, 19), (15, 21), (17, 19)),
    *((12, 14), (14, 16), (16, 18), (16, 20), (16, 22), (18, 20)),
    *((11, 23), (12, 24), (23, 24), (23, 25), (24, 26), (25, 27), (26, 28)),
    *((27, 29), (28, 30), (29, 31), (30, 32), (27, 31), (28, 32)),
)
HAND_LIMBS = (
    *((0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 6), (6, 7), (7, 8)),
    *((5, 9), (9, 10), (10, 11), (11, 12), (9, 13), (13, 14), (14, 15), (15, 16)),
    *((13, 17), (0, 17), (17, 18), (18, 19), (19, 20)),
)
BODY_COLORS = ((255, 0, 0),)
_FINGER_COLORS = ((192, 0, 0), (192, 192, 0), (0, 192, 0), (0, 192, 192), (0, 0, 192))
HAND_COLORS = (
    (232, 232, 232),
    *(
        (min(255, red + 21 * part), min(255, green + 21 * part), min(255, blue + 21 * part))
        for red, green, blue in _FINGER_COLORS
        for part in range(4)
    ),
)


Layout = tuple[tuple[str, ...], tuple[tuple[int, int], ...], tuple[tuple[int, int, int], ...]]


def layout(component: str) -> Layout:
    """Give the points, limbs and colours of the body or a hand."""
    if component == BODY:
        return BODY_POINTS, BODY_LIMBS, BODY_COLORS
    return HAND_POINTS, HAND_LIMBS, HAND_COLORS
