"""A signer as on film: small square pictures from a camera that never moves, for recognisers.

A figure drawn for people (`figure`) follows the hands and outlines each finger; at 64 pixels that
would be lost. Here the whole upper body is in view, hands that hang included, and what is left of a
hand is its colours: each finger has its own, and the left hand has others than the right. The
pictures are synthetic: whoever shows figures that were reached on them has to say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.render import palette
from signloom.poses.render.camera import Camera
from signloom.poses.render.figure import HEAD_ABOVE_NOSE, HEAD_SIZE, LEFT_ARM, RIGHT_ARM, WAIST
from signloom.poses.render.hand import PALM_CORNERS
from signloom.poses.render.shapes import Point, disc
from signloom.poses.skeleton import (
    HEAD,
    LEFT_HAND,
    LEFT_SHOULDER,
    NECK,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    finger_joints,
)

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

VIEW = 3.0
"""Width and height of what the camera sees, in shoulder widths."""
CENTER = (0.0, 0.42)
"""What is in its middle: from above the head to the fingers of a hand that hangs."""

MIN_SIZE, MAX_SIZE = 16, 512
MAX_BYTES = 2**30
CANVAS_PX = 256
"""Pictures are drawn at least this large and then reduced, which smooths their edges."""

TRUNK_WIDTH, SLEEVE_WIDTH, CUFF_WIDTH, NECK_WIDTH, FINGER_WIDTH = 0.26, 0.2, 0.15, 0.24, 0.065
LEFT_FINGERS = tuple((green, blue, red) for red, green, blue in palette.FINGERS)
RIGHT_PALM, LEFT_PALM = (222, 178, 138), (138, 178, 222)
"""Darker than the palm of the large figure, which nothing but its outline parts from the wall."""


def render_pictures(
    frames: NDArray[np.float32], *, size: int, confidence: NDArray[np.float32] | None = None
) -> NDArray[np.uint8]:
    """Draw each frame of a pose as a camera would have filmed it.

    Args:
        frames: Positions in shoulder widths, float32 [frames, 50, 3].
        size: Width and height in pixels, 16 to 512.
        confidence: 0 to 1, float32 [frames, 50]; what has 0 is not drawn. By default all is.

    Returns:
        Red, green and blue, uint8 [frames, size, size, 3].

    Raises:
        FormatError: The size is out of range or the pictures would take more than 1 GiB.
    """
    _check_size(len(frames), size)
    from PIL import Image, ImageDraw

    factor = max(2, -(-CANVAS_PX // size))
    camera = Camera(CENTER, size / VIEW, (size, size)).enlarged(factor)
    points = camera.project(frames)
    seen = np.ones(frames.shape[:2], np.bool_) if confidence is None else confidence > 0
    canvas = Image.new("RGB", camera.size)
    pencil = _Pencil(ImageDraw.Draw(canvas), camera.scale)
    pictures = np.empty((len(frames), size, size, 3), dtype=np.uint8)
    for number in range(len(frames)):
        canvas.paste(palette.BACKGROUND, (0, 0, *camera.size))
        _draw(pencil, points[number], seen[number].tolist())
        pictures[number] = np.asarray(canvas.reduce(factor))
    return pictures


def _check_size(num_frames: int, size: int) -> None:
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise FormatError(f"`size` must be from {MIN_SIZE} to {MAX_SIZE} pixels, but is {size}.")
    needed = num_frames * size * size * 3
    if needed > MAX_BYTES:
        raise FormatError(
            f"Pictures may take {MAX_BYTES:,} bytes, but {num_frames} of {size} pixels take "
            f"{needed:,}. Draw fewer frames at a time, or smaller ones."
        )


class _Pencil:
    """Draws parts whose thickness is given in shoulder widths."""

    def __init__(self, draw: ImageDraw, scale: float) -> None:
        self.draw = draw
        self._scale = scale

    def limb(self, points: list[Point], width: float, *, fill: palette.Color) -> None:
        """Draw a line that is round at its ends."""
        thickness = width * self._scale
        self.draw.line(points, fill=fill, width=max(1, round(thickness)))
        for end in (points[0], points[-1]):
            disc(self.draw, end, thickness / 2, fill=fill)

    def trunk(self, left: Point, right: Point) -> None:
        """Draw what hangs from the shoulders."""
        x, y = (left[0] + right[0]) / 2, (left[1] + right[1]) / 2
        half, height = (length * self._scale for length in WAIST)
        waist = ((x + half, y + height), (x - half, y + height))
        self.draw.polygon([left, *waist, right], fill=palette.SHIRT)
        self.limb([left, right], TRUNK_WIDTH, fill=palette.SHIRT)

    def head(self, nose: Point) -> None:
        """Draw the head around the nose."""
        width, height = (half * self._scale for half in HEAD_SIZE)
        x, y = nose[0], nose[1] - HEAD_ABOVE_NOSE * self._scale
        self.draw.ellipse((x - width, y - height, x + width, y + height), fill=palette.SKIN)


def _draw(pencil: _Pencil, points: NDArray[np.float64], seen: list[bool]) -> None:
    places: list[Point] = [(x, y) for x, y in points[:, :2].tolist()]
    if seen[LEFT_SHOULDER] and seen[RIGHT_SHOULDER]:
        pencil.trunk(places[LEFT_SHOULDER], places[RIGHT_SHOULDER])
    if seen[HEAD]:
        if seen[NECK]:
            pencil.limb([places[HEAD], places[NECK]], NECK_WIDTH, fill=palette.SKIN_EDGE)
        pencil.head(places[HEAD])
    arms = [
        (LEFT_ARM, LEFT_HAND, LEFT_FINGERS, LEFT_PALM),
        (RIGHT_ARM, RIGHT_HAND, palette.FINGERS, RIGHT_PALM),
    ]
    # The arm whose wrist is farther away goes first.
    arms.sort(key=lambda arm: -points[arm[0][2], 2])
    for arm, hand, shades, palm in arms:
        parts = ((arm[:2], SLEEVE_WIDTH, palette.SLEEVE), (arm[1:], CUFF_WIDTH, palette.CUFF))
        for ends, width, fill in parts:
            if all(seen[joint] for joint in ends):
                pencil.limb([places[joint] for joint in ends], width, fill=fill)
        corners = [hand.start + corner for corner in PALM_CORNERS]
        if all(seen[joint] for joint in corners):
            pencil.draw.polygon([places[joint] for joint in corners], fill=palm)
        _draw_fingers(pencil, places, seen, hand=hand, shades=shades, depths=points[:, 2])


def _draw_fingers(
    pencil: _Pencil,
    places: list[Point],
    seen: list[bool],
    *,
    hand: slice,
    shades: tuple[palette.Color, ...],
    depths: NDArray[np.float64],
) -> None:
    """Draw the fingers of a hand that are seen, the farthest first."""
    fingers = [(finger_joints(hand, finger), shades[finger]) for finger in range(5)]
    fingers.sort(key=lambda finger: -depths[finger[0][3]])
    for joints, shade in fingers:
        if all(seen[joint] for joint in joints):
            pencil.limb([places[joint] for joint in joints], FINGER_WIDTH, fill=shade)
