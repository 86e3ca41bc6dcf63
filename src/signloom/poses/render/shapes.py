"""Rounded shapes on a canvas, in pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from signloom.poses.render.palette import Color

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

Point = tuple[float, float]


def disc(draw: ImageDraw, center: Point, radius: float, *, fill: Color) -> None:
    """Fill a circle."""
    x, y = center
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)


def chain(draw: ImageDraw, points: Sequence[Point], *, radii: Sequence[float], fill: Color) -> None:
    """Fill limbs from point to point, round at the points and tapering between them."""
    for point, radius in zip(points, radii, strict=True):
        disc(draw, point, radius, fill=fill)
    for place in range(len(points) - 1):
        (x1, y1), (x2, y2) = points[place : place + 2]
        length = math.hypot(x2 - x1, y2 - y1)
        if length < 1e-6:
            continue
        # The unit normal of the limb; its outline runs one radius to each side.
        nx, ny = (y1 - y2) / length, (x2 - x1) / length
        r1, r2 = radii[place : place + 2]
        draw.polygon(
            (
                *(x1 + nx * r1, y1 + ny * r1, x2 + nx * r2, y2 + ny * r2),
                *(x2 - nx * r2, y2 - ny * r2, x1 - nx * r1, y1 - ny * r1),
            ),
            fill=fill,
        )


def plate(draw: ImageDraw, points: Sequence[Point], *, radius: float, fill: Color) -> None:
    """Fill a polygon grown by a radius, so that its corners are round."""
    draw.polygon(points, fill=fill)
    ring = [*points, points[0]]
    chain(draw, ring, radii=[radius] * len(ring), fill=fill)
