"""Joints that were not seen, filled by weighted linear interpolation over time.

What is interpolated is the bone to the joint rather than the joint, so that a hand that was lost
for a while travels with its wrist. The weights are the confidences of the frames on either side
times their nearness: of two frames equally sure it is plain linear interpolation. Weighing by
confidence follows Zelinka and Kanis (Neural Sign Language Synthesis: Words Are Our Glosses, WACV
2020), whose window grows until enough confidence is inside, where this takes the nearest frame on
either side. Before the first and after the last frame of a joint its bone stays as it was.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from signloom.poses.skeleton import NECK, UPPER_BODY_50

FILLED_CONFIDENCE = 0.5
"""Part of the neighbours' confidence that a filled joint keeps."""

Numbers = NDArray[np.float64]


def fill_gaps(joints: Numbers, confidence: Numbers) -> tuple[Numbers, Numbers]:
    """Fill every joint that some frame has; the others stay missing.

    Args:
        joints: Positions in the image [frames, 50, 2].
        confidence: 0 where a joint is missing [frames, 50].

    Returns:
        Positions and confidences of the same shapes. A filled joint has half the confidence of its
        neighbours in time.
    """
    filled, trust = joints.copy(), confidence.copy()
    _fill(filled, trust, NECK, np.zeros_like(joints[:, NECK]))
    for parent, child in UPPER_BODY_50.bones:
        together = (confidence[:, child] > 0) & (confidence[:, parent] > 0)
        on_parent = together.any() and (trust[:, parent] > 0).all()
        # Without a frame that has both there is no bone to interpolate.
        origin = filled[:, parent] if on_parent else np.zeros_like(joints[:, child])
        _fill(filled, trust, child, origin, usable=together if on_parent else None)
    return filled, trust


def _fill(
    filled: Numbers,
    trust: Numbers,
    joint: int,
    origin: Numbers,
    *,
    usable: NDArray[np.bool_] | None = None,
) -> None:
    """Fill one joint in place, relative to an origin that may move [frames, 2]."""
    missing = np.flatnonzero(trust[:, joint] <= 0)
    known = np.flatnonzero((trust[:, joint] > 0) if usable is None else usable)
    if len(missing) == 0 or len(known) == 0:
        return
    place = np.searchsorted(known, missing)
    before = known[np.maximum(place - 1, 0)]
    after = known[np.minimum(place, len(known) - 1)]
    weight_before, weight_after = trust[before, joint], trust[after, joint]
    between = before < after
    span = np.where(between, after - before, 1)
    weight_before = weight_before * np.where(between, (after - missing) / span, 1.0)
    weight_after = weight_after * np.where(between, (missing - before) / span, 0.0)
    share = (weight_after / (weight_before + weight_after))[:, None]
    bones = filled[:, joint] - origin
    filled[missing, joint] = origin[missing] + (1 - share) * bones[before] + share * bones[after]
    trust[missing, joint] = FILLED_CONFIDENCE * (weight_before + weight_after)
