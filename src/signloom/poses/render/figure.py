"""The whole figure: a neutral body that leaves the eye to the hands.

Head, trunk and arms are shapes, not a likeness: the skeleton has no face, and none is invented.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from signloom.poses.pose import Pose
from signloom.poses.render import palette
from signloom.poses.render.camera import Camera, active_hand
from signloom.poses.render.hand import draw_hand
from signloom.poses.render.shapes import Point, chain, plate
from signloom.poses.skeleton import (
    HEAD,
    LEFT_ELBOW,
    LEFT_HAND,
    LEFT_SHOULDER,
    LEFT_WRIST,
    RIGHT_ELBOW,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    RIGHT_WRIST,
)

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

SUPERSAMPLING = 2
EDGE = 0.012
SHOULDER_RADIUS = 0.13
ARM_RADII = (0.13, 0.10)
FOREARM_RADII = (0.098, 0.066)
HEAD_SIZE = (0.235, 0.32)
HEAD_ABOVE_NOSE = 0.07
WAIST = (0.30, 1.75)
MISSING_HEAD = (0.0, -0.56)
LEFT_ARM = (LEFT_SHOULDER, LEFT_ELBOW, LEFT_WRIST)
RIGHT_ARM = (RIGHT_SHOULDER, RIGHT_ELBOW, RIGHT_WRIST)


def draw_frames(
    pose: Pose, camera: Camera, *, supersampling: int = SUPERSAMPLING
) -> Iterator[Image]:
    """Draw one picture a frame, each when it is asked for."""
    from PIL import Image, ImageDraw

    large = camera.enlarged(supersampling)
    points = large.project(pose.frames)
    seen = pose.confidence > 0
    arms = ((LEFT_ARM, LEFT_HAND), (RIGHT_ARM, RIGHT_HAND))
    if active_hand(pose) == LEFT_HAND:
        arms = arms[::-1]
    blank = Image.new("RGB", large.size, palette.BACKGROUND)
    for frame in range(pose.num_frames):
        canvas = blank.copy()
        draw = ImageDraw.Draw(canvas)
        _draw_trunk(draw, points[frame], seen[frame], camera=large)
        for arm, hand in arms:
            _draw_arm(draw, points[frame][list(arm)], seen[frame][list(arm)], scale=large.scale)
            draw_hand(draw, points[frame, hand], scale=large.scale, seen=seen[frame, hand])
        yield canvas.reduce(supersampling) if supersampling > 1 else canvas


def _draw_trunk(
    draw: ImageDraw, points: NDArray[np.float64], seen: NDArray[np.bool_], *, camera: Camera
) -> None:
    scale = camera.scale
    origin = _place(camera, (0.0, 0.0))
    head = _point(points, HEAD) if seen[HEAD] else _place(camera, MISSING_HEAD)
    head = (head[0], head[1] - HEAD_ABOVE_NOSE * scale)
    if seen[LEFT_SHOULDER] and seen[RIGHT_SHOULDER]:
        left, right = _point(points, LEFT_SHOULDER), _point(points, RIGHT_SHOULDER)
        inset = 0.05 * scale
        waist = [_place(camera, (side * WAIST[0], WAIST[1])) for side in (1, -1)]
        corners = [
            (left[0] - inset, left[1]),
            *waist,
            (right[0] + inset, right[1]),
            (origin[0], origin[1] - 0.14 * scale),
        ]
        plate(draw, corners, radius=(SHOULDER_RADIUS + EDGE) * scale, fill=palette.SHIRT_EDGE)
        plate(draw, corners, radius=SHOULDER_RADIUS * scale, fill=palette.SHIRT)
    collar = (origin[0], origin[1] - 0.06 * scale)
    for edge, fill in ((EDGE, palette.SKIN_EDGE), (0.0, palette.SKIN)):
        radii = ((0.115 + edge) * scale, (0.125 + edge) * scale)
        chain(draw, (head, collar), radii=radii, fill=fill)
    for edge, fill in ((EDGE, palette.SKIN_EDGE), (0.0, palette.SKIN)):
        width, height = ((half + edge) * scale for half in HEAD_SIZE)
        x, y = head
        draw.ellipse((x - width, y - height, x + width, y + height), fill=fill)


def _draw_arm(
    draw: ImageDraw, points: NDArray[np.float64], seen: NDArray[np.bool_], *, scale: float
) -> None:
    shoulder, elbow, wrist = (_point(points, joint) for joint in range(3))
    edge = EDGE * scale
    if seen[0] and seen[1]:
        near, far = (radius * scale for radius in ARM_RADII)
        chain(draw, (shoulder, elbow), radii=(near + edge, far + edge), fill=palette.SHIRT_EDGE)
        chain(draw, (shoulder, elbow), radii=(near, far), fill=palette.SLEEVE)
    if seen[1] and seen[2]:
        near, far = (radius * scale for radius in FOREARM_RADII)
        chain(draw, (elbow, wrist), radii=(near + edge, far + edge), fill=palette.SHIRT_EDGE)
        chain(draw, (elbow, wrist), radii=(near, far), fill=palette.CUFF)


def _point(points: NDArray[np.float64], joint: int) -> Point:
    return float(points[joint, 0]), float(points[joint, 1])


def _place(camera: Camera, place: Point) -> Point:
    pixels = camera.project(np.array([*place, 0.0], dtype=np.float32))
    return float(pixels[0]), float(pixels[1])
