"""Where the figure stands in the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from signloom.poses.pose import Pose
from signloom.poses.skeleton import (
    LEFT_ELBOW,
    LEFT_HAND,
    LEFT_WRIST,
    RIGHT_ELBOW,
    RIGHT_HAND,
    RIGHT_WRIST,
)

REACH = 1.22
TOP = -1.16
BOTTOM = 1.36
MARGIN = 0.12
ELBOWS = slice(LEFT_ELBOW, RIGHT_ELBOW + 1, RIGHT_ELBOW - LEFT_ELBOW)
LOWEST = 1.1
"""Shoulder widths below the neck beneath which a hand hangs at rest."""
FARTHEST = 4.0
"""Shoulder widths from the neck beyond which the camera does not follow a hand."""

RESTING_BELOW = 0.5
"""Shoulder widths that a hand at rest hangs below one that signs, at least."""


@dataclass(frozen=True)
class Camera:
    """Map shoulder widths to pixels.

    Attributes:
        center: What is in the middle of the picture, in shoulder widths.
        scale: Pixels a shoulder width.
        size: Width and height of the picture in pixels.
    """

    center: tuple[float, float]
    scale: float
    size: tuple[int, int]

    def project(self, frames: NDArray[np.float32]) -> NDArray[np.float64]:
        """Give pixels and depth of positions [..., 3], all in pixels."""
        pixels = np.clip(frames.astype(np.float64), -50, 50)
        middle = np.array([*self.center, 0.0])
        offset = np.array([self.size[0] / 2, self.size[1] / 2, 0.0])
        return np.asarray((pixels - middle) * self.scale + offset)

    def enlarged(self, factor: int) -> Camera:
        """Give the same view on a larger canvas."""
        width, height = self.size
        return Camera(self.center, self.scale * factor, (width * factor, height * factor))


def whole_figure(pose: Pose, *, size: tuple[int, int]) -> Camera:
    """Show head and arms, stepping back when a hand or an elbow would leave the picture."""
    reach, top, bottom = REACH, TOP, BOTTOM
    for part in (RIGHT_HAND, LEFT_HAND, ELBOWS):
        seen = pose.confidence[:, part] > 0
        if seen.any():
            points = pose.frames[:, part][seen]
            reach = max(reach, float(np.quantile(np.abs(points[:, 0]), 0.995)) + MARGIN)
            top = min(top, float(np.quantile(points[:, 1], 0.005)) - MARGIN)
    reach, top = min(reach, FARTHEST), max(top, -FARTHEST)
    scale = min(size[0] / (2 * reach), size[1] / (bottom - top))
    # What does not fit in height goes to the bottom: the waist may be cut off, the head may not.
    return Camera((0.0, top + size[1] / scale / 2), scale, size)


def close_up(pose: Pose, *, frame: int, size: int, span: float) -> Camera | None:
    """Show the active hand alone, or nothing if it is not seen or rests.

    Args:
        pose: Whose hand.
        frame: When.
        size: Width and height in pixels.
        span: Width and height in shoulder widths.
    """
    hand = active_hand(pose)
    seen = pose.confidence[frame, hand] > 0
    if not seen.any():
        return None
    points = pose.frames[frame, hand, :2][seen]
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    if middle[1] > LOWEST or np.abs(middle).max() > FARTHEST:
        return None
    extent = float((points.max(axis=0) - points.min(axis=0)).max())
    span = max(span, min(extent + MARGIN, 2 * span))
    return Camera((float(middle[0]), float(middle[1])), size / span, (size, size))


def active_hand(pose: Pose) -> slice:
    """Give the hand that is held higher on average; the right one if neither is."""
    right, left = _heights(pose)
    return RIGHT_HAND if right <= left else LEFT_HAND


def is_one_handed(pose: Pose) -> bool:
    """Say whether one hand signs while the other rests, or is never seen."""
    right, left = _heights(pose)
    return bool(abs(right - left) >= RESTING_BELOW)


def _heights(pose: Pose) -> list[float]:
    """Give the mean y of the right and the left wrist; infinite where a hand is never seen."""
    heights = []
    for hand, wrist in ((RIGHT_HAND, RIGHT_WRIST), (LEFT_HAND, LEFT_WRIST)):
        seen = (pose.confidence[:, wrist] > 0) & (pose.confidence[:, hand.start] > 0)
        heights.append(float(pose.frames[seen, wrist, 1].mean()) if seen.any() else np.inf)
    return heights
