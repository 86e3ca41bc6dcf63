"""The 133 points of COCO-WholeBody: what models of them are given, what they give, our joints.

Models follow a person in a box; here the box is the whole picture, as large as fits into what the
model takes, the rest black. They answer either with a heatmap a point (HRNet) or, for each point,
with how likely each column and each row is (SimCC: RTMPose, RTMW).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from signloom.features.footage import Picture
from signloom.features.keypoints import Keypoints
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

NUM_POINTS = 133
MIN_SCORE = 0.3
"""A point that is less likely was not seen; what the makers of these models draw from, too."""
_BODY = {
    0: HEAD,
    5: LEFT_SHOULDER,
    6: RIGHT_SHOULDER,
    7: LEFT_ELBOW,
    8: RIGHT_ELBOW,
    9: LEFT_WRIST,
    10: RIGHT_WRIST,
}
_LEFT_HAND, _RIGHT_HAND = slice(91, 112), slice(112, 133)
_MEAN = np.array([123.675, 116.28, 103.53], dtype=np.float32)
_SPREAD = np.array([58.395, 57.12, 57.375], dtype=np.float32)
Floats = NDArray[np.float32]


class Fitted(NamedTuple):
    """A picture as a model takes it, and where it went.

    Attributes:
        values: float32 [1, 3, height, width], standardised as ImageNet is.
        scale: Pixels of the model for each of the picture.
        left: Columns before the picture.
        top: Rows above it.
    """

    values: Floats
    scale: float
    left: int
    top: int


def fit(picture: Picture, *, height: int, width: int) -> Fitted:
    """Scale a picture to what a model takes, its middle in the middle.

    Args:
        picture: uint8 [rows, columns, 3].
        height: Rows that the model takes.
        width: Columns that it takes.
    """
    from PIL import Image

    rows, columns = picture.shape[:2]
    scale = min(height / rows, width / columns)
    size = max(1, round(columns * scale)), max(1, round(rows * scale))
    left, top = (width - size[0]) // 2, (height - size[1]) // 2
    canvas = np.zeros((height, width, 3), dtype=np.float32)
    scaled = Image.fromarray(picture).resize(size, Image.Resampling.BILINEAR)
    canvas[top : top + size[1], left : left + size[0]] = np.asarray(scaled)
    values = ((canvas - _MEAN) / _SPREAD).transpose(2, 0, 1)[None]
    return Fitted(np.ascontiguousarray(values), scale, left, top)


def from_heatmaps(heatmaps: Floats) -> tuple[Floats, Floats]:
    """Give each point where its map is highest, a quarter nearer to its higher neighbour.

    At an edge, where one neighbour is missing, it stays.

    Args:
        heatmaps: float32 [points, rows, columns], at least three of both.

    Returns:
        Column and row, in parts of the width and height, float32 [points, 2]; and how high the
        map is there, float32 [points].
    """
    points, rows, columns = heatmaps.shape
    best = heatmaps.reshape(points, -1).argmax(axis=1)
    row, column = np.divmod(best, columns)
    each = np.arange(points)
    inner_column, inner_row = np.clip(column, 1, columns - 2), np.clip(row, 1, rows - 2)
    across = heatmaps[each, row, inner_column + 1] - heatmaps[each, row, inner_column - 1]
    down = heatmaps[each, inner_row + 1, column] - heatmaps[each, inner_row - 1, column]
    x = column + 0.25 * np.sign(across) * (column == inner_column)
    y = row + 0.25 * np.sign(down) * (row == inner_row)
    places = np.stack([x / columns, y / rows], axis=1).astype(np.float32)
    return places, heatmaps[each, row, column]


def from_columns_and_rows(columns: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Give each point its likeliest column and row, and the smaller likelihood of the two.

    Args:
        columns: float32 [points, steps from left to right].
        rows: float32 [points, steps from top to bottom].

    Returns:
        As `from_heatmaps`.
    """
    places = np.stack(
        [columns.argmax(axis=1) / columns.shape[1], rows.argmax(axis=1) / rows.shape[1]], axis=1
    )
    return places.astype(np.float32), np.minimum(columns.max(axis=1), rows.max(axis=1))


def to_keypoints(places: Floats, scores: Floats, fitted: Fitted) -> Keypoints:
    """Take our joints; the neck follows from the shoulders, and depth is not known.

    Args:
        places: Column and row in parts of what the model takes, float32 [133, 2].
        scores: How sure it is, float32 [133].
        fitted: What it was given.
    """
    size = np.array(fitted.values.shape[:1:-1], dtype=np.float32)
    pixels = (places * size - np.array([fitted.left, fitted.top], np.float32)) / fitted.scale
    sure = np.where(scores >= MIN_SCORE, np.clip(scores, 0, 1), 0).astype(np.float32)
    points, confidence = Keypoints.nobody()
    pairs: tuple[tuple[list[int] | slice, list[int] | slice], ...] = (
        (list(_BODY.values()), list(_BODY)),
        (LEFT_HAND, _LEFT_HAND),
        (RIGHT_HAND, _RIGHT_HAND),
    )
    for joints, ids in pairs:
        points[joints, :2] = pixels[ids]
        confidence[joints] = sure[ids]
    return Keypoints(points, confidence)
