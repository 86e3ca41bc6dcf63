"""The `.pose` format, read and written through the library `pose-format`.

Reading takes the layouts of MediaPipe and OpenPose (bound by component and point names), puts the
neck, or the middle of the shoulders, at the origin of every frame and divides by the file's median
shoulder width. MediaPipe's depth of the body is too noisy to use and set to 0; a hand's depth is
kept relative to its wrist. A point that was not seen has confidence 0, or no coordinate that is a
number. Of several people the first is read.

Writing gives 1024 x 1024 pixels, 280 of them a shoulder width, in the components and points of
MediaPipe without the face, or of OpenPose; points that our skeleton lacks have confidence 0. Such
a file is read back as it was written, depth included.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.formats import pose_points
from signloom.poses.formats.pose_guard import MAX_BYTES, check
from signloom.poses.placement import place
from signloom.poses.pose import Pose, check_values
from signloom.poses.skeleton import (
    HEAD,
    LEFT_HAND,
    LEFT_SHOULDER,
    NECK,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    UPPER_BODY_50,
    Skeleton,
)

Array = NDArray[np.float32]

SIZE_PX = 1024
SCALE_PX = 280.0
NECK_PX = (512.0, 400.0, 0.0)
LAYOUT = "mediapipe"
MAX_PX = 1e9
FLAT_DEPTH = 0.05
"""A hand less deep than this part of its palm's length has depth in image widths, not pixels."""


def read(path: Path) -> Pose:
    """Read a `.pose` file as our 50 joints in shoulder widths.

    Raises:
        FormatError: The file is damaged, too large, of a layout without shoulders, or holds a
            coordinate of a visible joint that is not finite.
    """
    return _read(path, _decode)


def read_as(path: Path, skeleton: Skeleton) -> Pose:
    """Read a `.pose` file as the joints of another skeleton, in the file's own unit.

    Raises:
        FormatError: The file is damaged or too large, or lacks a joint.
    """
    return _read(path, lambda data: _decode_as(data, skeleton))


def write(pose: Pose, path: Path, *, layout: str = LAYOUT) -> None:
    """Write a `.pose` file of version 0.2.

    Args:
        pose: What to write.
        path: Where to.
        layout: `mediapipe` (75 points) or `openpose` (137 points).
    """
    from pose_format import Pose as File
    from pose_format.numpy import NumPyPoseBody
    from pose_format.pose_header import PoseHeader, PoseHeaderComponent, PoseHeaderDimensions

    dimensions = PoseHeaderDimensions(SIZE_PX, SIZE_PX, SIZE_PX)
    components = [
        PoseHeaderComponent(
            part.name, list(part.points), list(part.limbs), list(part.colors), "XYZC"
        )
        for part in pose_points.LAYOUTS[layout]
    ]
    header = PoseHeader(0.2, dimensions, components)
    points, joints = pose_points.bind(header)
    data = np.zeros((pose.num_frames, 1, header.total_points(), 3), dtype=np.float32)
    confidence = np.zeros(data.shape[:3], dtype=np.float32)
    seen = pose.confidence[:, joints]
    pixels = pose.frames[:, joints] * np.float32(SCALE_PX) + np.array(NECK_PX, dtype=np.float32)
    data[:, 0, points] = np.where(seen[..., None] > 0, pixels, 0)
    confidence[:, 0, points] = seen
    buffer = BytesIO()
    File(header, NumPyPoseBody(pose.fps, data, confidence)).write(buffer)
    path.write_bytes(buffer.getvalue())


def _read(path: Path, decode: Callable[[bytes], Pose]) -> Pose:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise FormatError(f"at most {MAX_BYTES} bytes can be read, but it has {size}")
        with np.errstate(all="ignore"):  # what comes of it is checked
            return decode(path.read_bytes())
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    except FormatError as error:
        raise FormatError(f"{path} cannot be read as .pose: {str(error).rstrip('.')}.") from error


def _decode(data: bytes) -> Pose:
    file = _parse(data)
    points, joints = pose_points.bind(file.header)
    values, sure = _first_person(file)
    frames = np.zeros((len(values), UPPER_BODY_50.num_joints, 3), dtype=np.float32)
    confidence = np.zeros(frames.shape[:2], dtype=np.float32)
    frames[:, joints, : values.shape[-1]] = values[:, points]
    confidence[:, joints] = sure[:, points]
    face = pose_points.face_points(file.header)
    if HEAD not in joints and face.stop:
        head = {"face": values[:, face], "face_confidence": sure[:, face]}
        pose_points.add_head(frames, confidence, **head)
    fps = float(file.body.fps)
    check_values(frames, confidence, most=MAX_PX)
    frames[confidence <= 0] = 0
    if pose_points.layout_of(file.header, SIZE_PX):
        frames = (frames - np.array(NECK_PX, dtype=np.float32)) / np.float32(SCALE_PX)
        if NECK not in joints:
            frames[:, NECK] = 0
            shoulders = confidence[:, [LEFT_SHOULDER, RIGHT_SHOULDER]]
            confidence[:, NECK] = shoulders.min(axis=1)
        return Pose(frames, confidence, fps)
    _place_depth(frames, confidence, width=file.header.dimensions.width)
    frames, confidence = place(frames, confidence)
    return Pose(frames, confidence, fps)


def _decode_as(data: bytes, skeleton: Skeleton) -> Pose:
    file = _parse(data)
    points = pose_points.bind_skeleton(file.header, skeleton)
    values, sure = _first_person(file)
    frames = np.zeros((len(values), skeleton.num_joints, 3), dtype=np.float32)
    frames[..., : values.shape[-1]] = values[:, points]
    return Pose(frames, sure[:, points], float(file.body.fps), skeleton)


def _parse(data: bytes) -> Any:
    check(data)
    from pose_format import Pose as File

    return File.read(data)


def _first_person(file: Any) -> tuple[Array, Array]:
    """Give positions [frames, points, axes] and confidence [frames, points]."""
    values = np.asarray(file.body.data.data[:, 0], dtype=np.float32)
    confidence = np.asarray(file.body.confidence[:, 0], dtype=np.float32)
    # Files of 553 points mark a hand that was not seen in this way, at confidence 1.
    is_marked = np.isnan(values).all(axis=-1)
    return values, np.where(is_marked, np.float32(0), np.clip(confidence, 0, 1))


def _place_depth(frames: Array, confidence: Array, *, width: int) -> None:
    """Flatten the body and bring each hand's depth to pixels relative to its wrist."""
    frames[:, : RIGHT_HAND.start, 2] = 0
    for hand in (LEFT_HAND, RIGHT_HAND):
        seen = confidence[:, hand.start] > 0
        if not seen.any():
            continue
        frames[:, hand, 2] -= frames[:, hand.start : hand.start + 1, 2]
        palm = np.linalg.norm(frames[:, hand.start + 9, :2] - frames[:, hand.start, :2], axis=-1)
        if np.abs(frames[seen, hand, 2]).max() < FLAT_DEPTH * palm[seen].max():
            frames[:, hand, 2] *= width
