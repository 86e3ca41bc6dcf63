"""Distances between pose sequences of different speed, and the lengths of their bones.

Everything takes positions in shoulder widths, float [frames, joints, 3]. DTW is exact, with the
steps (1,1), (1,0), (0,1), each of weight 1. Variants are told apart by name; those of a signing
arm look only at the arm that signs:

    signing-arm     joints elbow, wrist, hand; L2 frame distance; mean joint error over the pairs
    signing-hand    the 20 finger joints relative to the wrist; otherwise the same
    pt              that of ProgressiveTransformersSLP: L1 frame distance in the units of .skels
                    (a third of a shoulder width) over all coordinates, the first frame of the
                    hypothesis and the last of both left out, over the frames of the reference
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

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

Frames = NDArray[np.floating[Any]]
Side = Literal["right", "left"]
MIN_BONE = 1e-3
SKELS_UNIT = 1 / 3
"""A shoulder width in the units of .skels."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """The cheapest way to walk two sequences together.

    Attributes:
        cost: Sum of the frame distances along the way.
        pairs: int64 [steps, 2], frame of the first and of the second sequence.
    """

    cost: float
    pairs: NDArray[np.int64]


def wrist(side: Side) -> int:
    """Give the wrist joint of a side."""
    return RIGHT_WRIST if side == "right" else LEFT_WRIST


def hand_joints(side: Side) -> list[int]:
    """List the 21 joints of a hand."""
    hand = RIGHT_HAND if side == "right" else LEFT_HAND
    return list(range(hand.start, hand.stop))


def arm_joints(side: Side) -> list[int]:
    """List elbow, wrist and the 21 joints of the hand."""
    elbow = RIGHT_ELBOW if side == "right" else LEFT_ELBOW
    return [elbow, wrist(side), *hand_joints(side)]


def signing_side(frames: Frames) -> Side:
    """Tell which wrist moves more."""
    steps = np.linalg.norm(np.diff(frames[:, [RIGHT_WRIST, LEFT_WRIST]], axis=0), axis=-1)
    right, left = steps.sum(axis=0)
    return "right" if right >= left else "left"


def frame_distances(
    first: Frames, second: Frames, *, norm: Literal["l1", "l2"] = "l2"
) -> NDArray[np.float64]:
    """Give the distance of each frame of one sequence to each of the other, over all coordinates.

    Returns:
        float64 [frames of first, frames of second].
    """
    rows = np.asarray(first, dtype=np.float64).reshape(len(first), -1)
    columns = np.asarray(second, dtype=np.float64).reshape(len(second), -1)
    if norm == "l1":
        return np.stack([np.abs(columns - row).sum(axis=1) for row in rows])
    return np.stack([np.sqrt(np.square(columns - row).sum(axis=1)) for row in rows])


def align(distances: NDArray[np.float64]) -> Alignment:
    """Find the cheapest monotonic alignment by exact dynamic time warping.

    Args:
        distances: Frame distances [n, m], n and m at least 1.
    """
    totals = _accumulate(distances)
    row, column = len(distances) - 1, distances.shape[1] - 1
    pairs = [(row, column)]
    while row or column:
        steps = ((row - 1, column - 1), (row - 1, column), (row, column - 1))
        legal = [step for step in steps if min(step) >= 0]
        row, column = min(legal, key=lambda step: totals[step])
        pairs.append((row, column))
    return Alignment(float(totals[-1, -1]), np.array(pairs[::-1], dtype=np.int64))


def aligned_joint_error(generated: Frames, reference: Frames) -> float:
    """Give the mean joint error over the pairs of an exact L2 alignment (DTW-MJE)."""
    pairs = align(frame_distances(generated, reference)).pairs
    apart = generated[pairs[:, 0]].astype(np.float64) - reference[pairs[:, 1]]
    return float(np.linalg.norm(apart, axis=-1).mean())


def pt_dtw(generated: Frames, reference: Frames) -> float:
    """Give the variant `pt`; sequences of one or two frames keep one.

    Example:
        >>> pt_dtw(np.ones((4, 50, 3)), np.zeros((4, 50, 3)))
        50.0
    """
    made, true = generated[1:-1], reference[:-1]
    made, true = (made if len(made) else generated[:1]), (true if len(true) else reference[:1])
    cost = align(frame_distances(made, true, norm="l1")).cost
    return cost * SKELS_UNIT / len(true)


def signing_arm_error(generated: Frames, reference: Frames, *, side: Side) -> float:
    """Give the variant `signing-arm`, in shoulder widths."""
    joints = arm_joints(side)
    return aligned_joint_error(generated[:, joints], reference[:, joints])


def signing_hand_error(generated: Frames, reference: Frames, *, side: Side) -> float:
    """Give the variant `signing-hand`, in shoulder widths: handshape, wherever the hand is."""
    fingers, root = hand_joints(side)[1:], wrist(side)
    first = generated[:, fingers] - generated[:, [root]]
    return aligned_joint_error(first, reference[:, fingers] - reference[:, [root]])


def bone_lengths(frames: Frames, bones: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """Measure bones frame by frame, float64 [frames, bones]."""
    parents, children = zip(*bones, strict=True)
    apart = np.asarray(frames, dtype=np.float64)[:, children] - frames[:, parents]
    return np.asarray(np.linalg.norm(apart, axis=-1))


def bone_length_ratios(
    generated: Frames, reference: Frames, bones: Sequence[tuple[int, int]]
) -> NDArray[np.float64]:
    """Divide the mean length of each bone by the reference's, float64 [bones].

    A bone that is shorter than a thousandth of a shoulder width in the reference gives NaN.
    """
    measured = bone_lengths(generated, bones).mean(axis=0)
    true = bone_lengths(reference, bones).mean(axis=0)
    return np.where(true >= MIN_BONE, measured / np.maximum(true, MIN_BONE), np.nan)


def _accumulate(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum up the cheapest ways along anti-diagonals, each in one vector operation."""
    rows, columns = distances.shape
    totals = np.full((rows + 1, columns + 1), np.inf)
    totals[0, 0] = 0.0
    flat, stride = totals.reshape(-1), columns + 1
    costs = np.ascontiguousarray(distances).reshape(-1)
    for diagonal in range(rows + columns - 1):
        first = max(0, diagonal - columns + 1)
        row = np.arange(first, min(rows, diagonal + 1))
        here = (row + 1) * stride + diagonal - row + 1
        before = np.minimum(flat[here - stride], flat[here - 1])
        before = np.minimum(before, flat[here - stride - 1])
        flat[here] = costs[row * columns + diagonal - row] + before
    return totals[1:, 1:]
