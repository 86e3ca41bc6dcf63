"""Inverse kinematics: the depth of each joint from the length of the bone it hangs on.

Down the tree, bone by bone. The bone's end must meet the image within a tolerance, its length is
known, and so its extent in depth lies between two bounds: narrow for a bone that points at the
camera, wide for one that lies flat, where a pixel of noise is a hand's breadth of depth. Inside
its bounds the depth is made as smooth over time as projected gradient steps get it, from the
flattest start.

Whether a bone points to the camera or away from it, the image cannot tell. Here every bone points
to the camera: elbows, hands and face of a signer are before the body. MediaPipe's own depth agrees
for four of five bones of the hand, and the field's files are made so.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.poses.lifting.bones import CHILDREN, PARENTS, BoneLengths

TOLERANCE = 0.005
"""How far the image of a joint may move, in shoulder widths: 2 mm, below a detector's noise."""
STEPS = 60
TOWARDS_CAMERA = -1.0

Numbers = NDArray[np.float64]


def lift_joints(joints: Numbers, present: NDArray[np.bool_], bones: BoneLengths) -> Numbers:
    """Give joints their depth; all bones get their lengths exactly.

    A joint further from its parent than its bone is long moves within reach. One whose parent is
    missing starts a tree of its own, at depth 0.

    Args:
        joints: Positions in the image [frames, 50, 2].
        present: The joints that every frame has [50].
        bones: How long the bones are.

    Returns:
        Positions [frames, 50, 3] in the same unit, z away from the camera.
    """
    result = np.zeros((*joints.shape[:2], 3))
    result[..., :2] = joints
    for generation in GENERATIONS:
        bone = generation[present[PARENTS[generation]] & present[CHILDREN[generation]]]
        if len(bone) == 0:
            continue
        parents, children = PARENTS[bone], CHILDREN[bone]
        lengths = bones.scales[:, None] * bones.lengths[bone]
        wanted = joints[:, children] - result[:, parents, :2]
        flat = np.linalg.norm(wanted, axis=-1)
        depth = _smooth_depth(flat, lengths)
        reach = np.sqrt(np.maximum(lengths**2 - depth**2, 0)) / np.maximum(flat, 1e-9)
        result[:, children, :2] = result[:, parents, :2] + reach[..., None] * wanted
        result[:, children, 2] = result[:, parents, 2] + TOWARDS_CAMERA * depth
    return result


def _smooth_depth(flat: Numbers, lengths: Numbers) -> Numbers:
    """Give the smoothest extents in depth that the image allows [frames, bones].

    Minimises the sum over frames of (s_t - s_(t-1))^2 for s = depth / length, inside the bounds.
    """
    least = _extent(flat + TOLERANCE, lengths)
    most = _extent(flat - TOLERANCE, lengths)
    slant = least
    for _ in range(STEPS):
        padded = np.pad(slant, ((1, 1), (0, 0)), mode="edge")
        slant = np.clip(0.5 * slant + 0.25 * (padded[2:] + padded[:-2]), least, most)
    return slant * lengths


def _extent(flat: Numbers, lengths: Numbers) -> Numbers:
    """Give the part of a bone's length that points into the image."""
    return np.sqrt(1 - np.clip(flat / lengths, 0, 1) ** 2)


def _generations() -> list[NDArray[np.int64]]:
    """Give the bones in groups of which none hangs on another of its group, parents first."""
    age = {int(joint): 0 for joint in np.setdiff1d(PARENTS, CHILDREN)}
    for parent, child in zip(PARENTS.tolist(), CHILDREN.tolist(), strict=True):
        age[child] = age[parent] + 1
    ages = np.array([age[child] for child in CHILDREN.tolist()])
    return [np.flatnonzero(ages == number) for number in range(1, int(ages.max()) + 1)]


GENERATIONS = _generations()
