"""A hand: a palm and five fingers, each in its own shade, the nearer over the farther."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from signloom.poses.render.palette import FINGERS, INK, PALM
from signloom.poses.render.shapes import chain, plate

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

FINGER_RADII = (0.036, 0.032, 0.029, 0.026)
THUMB_RADII = (0.044, 0.040, 0.034, 0.030)
PALM_RADIUS = 0.032
EDGE = 0.009
KNUCKLES = (5, 9, 13, 17)
PALM_CORNERS = (0, 1, *KNUCKLES)


def draw_hand(
    draw: ImageDraw, points: NDArray[np.float64], *, scale: float, seen: NDArray[np.bool_]
) -> None:
    """Draw a hand.

    Args:
        draw: Canvas.
        points: x, y and depth of its 21 joints in pixels.
        scale: Pixels a shoulder width.
        seen: Which joints there are; nothing is drawn without the palm.
    """
    if not seen[list(PALM_CORNERS)].all():
        return
    places = [(float(x), float(y)) for x, y in points[:, :2]]
    depths = points[:, 2].tolist()
    # The palm stands at the depth of its knuckles; a finger at that of its last two joints.
    parts = [(sum(depths[corner] for corner in KNUCKLES) / 4, -1)]
    for finger in range(5):
        tip = 4 + 4 * finger
        if seen[tip - 3 : tip + 1].all():
            parts.append(((depths[tip] + depths[tip - 1]) / 2, finger))
    for _, part in sorted(parts, key=lambda item: (-item[0], item[1])):
        if part < 0:
            corners = [places[corner] for corner in PALM_CORNERS]
            plate(draw, corners, radius=(PALM_RADIUS + EDGE) * scale, fill=INK)
            plate(draw, corners, radius=PALM_RADIUS * scale, fill=PALM)
            continue
        first = 1 + 4 * part
        radii = THUMB_RADII if part == 0 else FINGER_RADII
        joints = places[first : first + 4]
        chain(draw, joints, radii=[(radius + EDGE) * scale for radius in radii], fill=INK)
        chain(draw, joints, radii=[radius * scale for radius in radii], fill=FINGERS[part])
