"""The figure as thick lines and plates over time, for drawings that know no shapes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from signloom.poses.pose import Pose
from signloom.poses.render import figure, hand, palette
from signloom.poses.render.camera import Camera, active_hand
from signloom.poses.skeleton import (
    HEAD,
    LEFT_HAND,
    LEFT_SHOULDER,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    finger_joints,
)

COLLAR = -0.06
NECK_WIDTH = 0.24
TRUNK_INSET = 0.05
TRUNK_TOP = -0.14


@dataclass(frozen=True, eq=False)
class Line:
    """A line of round ends, or a plate of round corners.

    Attributes:
        points: Places in pixels, one row a frame [frames, points, 2].
        seen: In which frames it is there [frames].
        width: Thickness in pixels; of a plate, that of its rim.
        fill: Its color.
        edge: The color around it.
        edge_width: Thickness of that in pixels.
        is_plate: Whether it is closed and filled.
    """

    points: NDArray[np.float64]
    seen: NDArray[np.bool_]
    width: float
    fill: palette.Color
    edge: palette.Color
    edge_width: float
    is_plate: bool = False


def figure_lines(pose: Pose, camera: Camera) -> Iterator[Line]:
    """Give the parts of the figure from the back to the front."""
    yield from _trunk(pose, camera)
    arms = ((figure.LEFT_ARM, LEFT_HAND), (figure.RIGHT_ARM, RIGHT_HAND))
    if active_hand(pose) == LEFT_HAND:
        arms = arms[::-1]
    for arm, fingers in arms:
        yield from _arm(pose, camera, arm)
        yield from _hand(pose, camera, fingers)


def _trunk(pose: Pose, camera: Camera) -> Iterator[Line]:
    frames, scale = pose.frames[..., :2].astype(np.float64), camera.scale
    always = np.ones(pose.num_frames, dtype=np.bool_)
    left, right = frames[:, LEFT_SHOULDER], frames[:, RIGHT_SHOULDER]
    waist_x, waist_y = figure.WAIST
    corners = np.zeros((pose.num_frames, 5, 2))
    inset = np.array([TRUNK_INSET, 0.0])
    corners[:, 0], corners[:, 3] = left - inset, right + inset
    corners[:, 1], corners[:, 2] = (waist_x, waist_y), (-waist_x, waist_y)
    corners[:, 4] = (0, TRUNK_TOP)
    yield Line(
        points=_project(camera, corners),
        seen=_all_seen(pose, [LEFT_SHOULDER, RIGHT_SHOULDER]),
        width=2 * figure.SHOULDER_RADIUS * scale,
        fill=palette.SHIRT,
        edge=palette.SHIRT_EDGE,
        edge_width=figure.EDGE * scale,
        is_plate=True,
    )
    has_head = pose.confidence[:, HEAD, None] > 0
    head = np.where(has_head, frames[:, HEAD], figure.MISSING_HEAD)
    head = head - [0, figure.HEAD_ABOVE_NOSE]
    half_width, half_height = figure.HEAD_SIZE
    rise = np.array([0.0, half_height - half_width])
    collar = np.broadcast_to([0.0, COLLAR], head.shape)
    for ends, width in (
        ((head, collar), NECK_WIDTH),
        ((head - rise, head + rise), 2 * half_width),
    ):
        yield Line(
            points=_project(camera, np.stack(ends, axis=1)),
            seen=always,
            width=width * scale,
            fill=palette.SKIN,
            edge=palette.SKIN_EDGE,
            edge_width=figure.EDGE * scale,
        )


def _arm(pose: Pose, camera: Camera, arm: tuple[int, int, int]) -> Iterator[Line]:
    parts = (
        (arm[:2], figure.ARM_RADII, palette.SLEEVE),
        (arm[1:], figure.FOREARM_RADII, palette.CUFF),
    )
    for ends, radii, fill in parts:
        yield _between(pose, camera, ends, width=sum(radii), fill=fill, edge=palette.SHIRT_EDGE)


def _hand(pose: Pose, camera: Camera, joints: slice) -> Iterator[Line]:
    palm = tuple(int(joints.start) + corner for corner in hand.PALM_CORNERS)
    yield _between(pose, camera, palm, width=2 * hand.PALM_RADIUS, fill=palette.PALM, is_plate=True)
    has_palm = _all_seen(pose, list(palm))
    fingers = {finger: finger_joints(joints, finger) for finger in range(5)}
    depth = {
        finger: float(pose.frames[has_palm][:, list(chain), 2].mean()) if has_palm.any() else 0.0
        for finger, chain in fingers.items()
    }
    for finger in sorted(fingers, key=lambda finger: (-depth[finger], finger)):
        radii = hand.THUMB_RADII if finger == 0 else hand.FINGER_RADII
        yield _between(
            pose,
            camera,
            fingers[finger],
            width=2 * sum(radii) / len(radii),
            fill=palette.FINGERS[finger],
        )


def _between(
    pose: Pose,
    camera: Camera,
    joints: tuple[int, ...],
    *,
    width: float,
    fill: palette.Color,
    edge: palette.Color = palette.INK,
    is_plate: bool = False,
) -> Line:
    chosen = list(joints)
    return Line(
        points=_project(camera, pose.frames[:, chosen, :2]),
        seen=_all_seen(pose, chosen),
        width=width * camera.scale,
        fill=fill,
        edge=edge,
        edge_width=(hand.EDGE if edge == palette.INK else figure.EDGE) * camera.scale,
        is_plate=is_plate,
    )


def _all_seen(pose: Pose, joints: list[int]) -> NDArray[np.bool_]:
    return np.asarray((pose.confidence[:, joints] > 0).all(axis=1))


def _project(camera: Camera, places: NDArray[np.floating]) -> NDArray[np.float64]:
    """Give pixels [..., 2] of places in shoulder widths [..., 2]."""
    flat = np.concatenate([places, np.zeros((*places.shape[:-1], 1))], axis=-1)
    return camera.project(flat.astype(np.float32))[..., :2]
