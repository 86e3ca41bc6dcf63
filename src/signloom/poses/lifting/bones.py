"""How long bones are: from what of them is seen in the image, held near a template.

A bone's ratio to the others never changes within a sequence; a scale of the frame, near 1, takes
up leaning and the division by the frame's own shoulder width that the field's files have. Both
come from an upper envelope: a bone is as long as the image shows it when it lies flat.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from signloom.poses.skeleton import (
    FINGERS,
    LEFT_HAND,
    LEFT_SHOULDER,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    UPPER_BODY_50,
)

Numbers = NDArray[np.float64]
Booleans = NDArray[np.bool_]

PARENTS = np.array([parent for parent, _ in UPPER_BODY_50.bones])
CHILDREN = np.array([child for _, child in UPPER_BODY_50.bones])
NECK_TO_HEAD, NECK_TO_SHOULDER, UPPER_ARM, FOREARM, WRIST_TO_HAND = 1.22, 1.0, 1.79, 1.32, 0.24
FINGER_BONES = (
    (0.19, 0.24, 0.19, 0.16),
    (0.48, 0.24, 0.15, 0.13),
    (0.45, 0.25, 0.15, 0.12),
    (0.40, 0.23, 0.14, 0.11),
    (0.37, 0.19, 0.10, 0.09),
)
"""Lengths over the half shoulder width, thumb first: mean over the 15 sequences of the .skels
sample of PHOENIX14T, inside each of which they are constant to 3e-4. From one sequence to the
next they vary by 5 to 16 % (wrist to hand: 36 %)."""
HALF_SHOULDERS = 0.5
"""Length of a bone of ratio 1 where nothing better is known, in shoulder widths."""
LEAST, MOST = 0.75, 1.5
"""How far a sequence may leave the template, either way: what never lies flat seems short."""
LEAST_TO_HAND, MOST_TO_HAND = 0.0, 2.0
"""The same from wrist to hand, where detectors disagree: some put the root on the wrist itself."""
MOST_SIZE_CHANGE = 2.0
"""The shoulders are one shoulder width apart, so only a signer in profile comes near this."""
LENGTH_QUANTILE = 0.8
"""Over frames. Higher ones take the noise of a detector for length and push hands forward."""
SCALE_QUANTILE = 0.8
"""Over bones, a long one counting more."""
MOST_SCALE_CHANGE = 0.06
ROUNDS = 5


@dataclass(frozen=True, eq=False)
class BoneLengths:
    """The lengths of every bone in every frame: their ratios are the same in all.

    Attributes:
        lengths: Of each bone of the skeleton at scale 1, in shoulder widths [bones].
        scales: Of each frame, .94 to 1.06 [frames].
    """

    lengths: Numbers
    scales: Numbers


def template() -> Numbers:
    """Give the lengths of the bones of a signer one shoulder width wide [bones]."""
    ratios = {"head": NECK_TO_HEAD, "shoulder": NECK_TO_SHOULDER, "elbow": UPPER_ARM}
    ratios |= {"wrist": FOREARM, "hand": WRIST_TO_HAND}
    for finger, bones in zip(FINGERS, FINGER_BONES, strict=True):
        ratios |= {f"{finger}_{number}": ratio for number, ratio in enumerate(bones, 1)}
    names = (UPPER_BODY_50.joints[child] for child in CHILDREN)
    return HALF_SHOULDERS * np.array([ratios[_without_side(name)] for name in names])


def bones_in_image(joints: Numbers) -> Numbers:
    """Give the vectors from parent to child of joints [frames, 50, 2]: [frames, bones, 2]."""
    return joints[:, CHILDREN] - joints[:, PARENTS]


def estimate_lengths(joints: Numbers, seen: Booleans) -> BoneLengths:
    """Find lengths and scales that explain how long the bones are in the image.

    Lengths are a high quantile over the frames in which both ends were seen, the two sides taken
    together; scales a high quantile over bones; in turns until both agree.

    Args:
        joints: Positions in the image, shoulder widths [frames, 50, 2].
        seen: Which of them were [frames, 50].
    """
    flat = np.linalg.norm(bones_in_image(joints), axis=-1)
    known = seen[:, CHILDREN] & seen[:, PARENTS]
    scales = np.ones(len(joints))
    for _ in range(ROUNDS):
        lengths = _lengths(np.where(known, flat / scales[:, None], np.nan))
        scales = _scales(flat / lengths, weights=lengths * known)
    return BoneLengths(_lengths(np.where(known, flat / scales[:, None], np.nan)), scales)


def _lengths(flat: Numbers) -> Numbers:
    """Take the quantile over both sides; what is not known, or far off, comes of the template."""
    both = np.concatenate([flat, flat[:, OTHER_SIDE]])
    known = ~np.isnan(both).all(axis=0)
    lengths = np.full(len(CHILDREN), np.nan)
    if known.any():
        lengths[known] = np.nanquantile(both[:, known], LENGTH_QUANTILE, axis=0)
    usual = template()
    # Hands have a size of their own: they are nearer to the camera than the shoulders are.
    for part in (IN_HAND, ~IN_HAND):
        measure = part & known & (IN_HAND | SHOULDERS)
        if measure.any():
            size = np.median(lengths[measure] / usual[measure])
            usual[part] *= np.clip(size, 1 / MOST_SIZE_CHANGE, MOST_SIZE_CHANGE)
    least = usual * np.where(TO_HAND, LEAST_TO_HAND, LEAST)
    most = usual * np.where(TO_HAND, MOST_TO_HAND, MOST)
    held: Numbers = np.clip(np.where(known, lengths, usual), least, most)
    return held + np.finfo(np.float32).eps  # never 0: lengths are divided by


def _scales(ratios: Numbers, *, weights: Numbers) -> Numbers:
    """Take the weighted quantile of each row, 1 where nothing has weight."""
    order = np.argsort(ratios, axis=1)
    sorted_ratios = np.take_along_axis(ratios, order, axis=1)
    total = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    place = (total >= SCALE_QUANTILE * total[:, -1:]).argmax(axis=1)
    scales = sorted_ratios[np.arange(len(ratios)), place]
    known = total[:, -1] > 0
    if not known.any():
        return np.ones(len(ratios))
    scales = np.where(known, scales / max(np.median(scales[known]), 1e-6), 1.0)
    near_one: Numbers = np.clip(scales, 1 - MOST_SCALE_CHANGE, 1 + MOST_SCALE_CHANGE)
    return near_one


def _without_side(name: str) -> str:
    return name.removeprefix("left_").removeprefix("right_")


def _other_side() -> NDArray[np.int64]:
    """Give for each bone that of the other arm or hand; of the head itself."""
    names = [UPPER_BODY_50.joints[child] for child in CHILDREN]
    swapped = {"left": "right", "right": "left"}
    sides = (name.partition("_") for name in names)
    return np.array(
        [names.index(swapped.get(side, side) + dot + rest) for side, dot, rest in sides]
    )


OTHER_SIDE = _other_side()
TO_HAND = np.isin(CHILDREN, (LEFT_HAND.start, RIGHT_HAND.start))
IN_HAND = np.isin(PARENTS, np.r_[RIGHT_HAND, LEFT_HAND])
SHOULDERS = np.isin(CHILDREN, (LEFT_SHOULDER, RIGHT_SHOULDER))
