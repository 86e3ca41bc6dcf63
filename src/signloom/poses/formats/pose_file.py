"""The `.pose` format, read and written through the library `pose-format`.

Reading takes the MediaPipe layouts (bound by component and point names), puts the neck, the middle
of the shoulders, at the origin of every frame and divides by the file's median shoulder width.
MediaPipe's depth of the body is too noisy to use and set to 0; a hand's depth is kept relative to
its wrist. A point that was not seen has confidence 0. Of several people the first is read.

Writing gives 1024 x 1024 pixels, 280 of them a shoulder width, in MediaPipe's components and
points without the face; points that our skeleton lacks have confidence 0. Such a file is read back
as it was written, depth included.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.formats import mediapipe
from signloom.poses.formats.pose_guard import MAX_BYTES, check
from signloom.poses.pose import Pose, check_values
from signloom.poses.skeleton import LEFT_SHOULDER, NECK, RIGHT_SHOULDER, UPPER_BODY_50

if TYPE_CHECKING:
    import pose_format

Array = NDArray[np.float32]

SIZE_PX = 1024
SCALE_PX = 280.0
NECK_PX = (512.0, 400.0, 0.0)
WRITTEN = (mediapipe.BODY, *mediapipe.HANDS)
MAX_PX = 1e9
FLAT_DEPTH = 0.05
"""A hand less deep than this part of its palm's length has depth in image widths, not pixels."""


def read(path: Path) -> Pose:
    """Read a `.pose` file as our 50 joints in shoulder widths.

    Raises:
        FormatError: The file is damaged, too large, of a layout without shoulders, or holds a
            coordinate of a visible joint that is not finite.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise FormatError(f"at most {MAX_BYTES} bytes can be read, but it has {size}")
        with np.errstate(all="ignore"):  # what comes of it is checked
            return _decode(path.read_bytes())
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    except FormatError as error:
        raise FormatError(f"{path} cannot be read as .pose: {str(error).rstrip('.')}.") from error


def write(pose: Pose, path: Path) -> None:
    """Write a `.pose` file of version 0.2."""
    from pose_format import Pose as File
    from pose_format.numpy import NumPyPoseBody
    from pose_format.pose_header import PoseHeader, PoseHeaderComponent, PoseHeaderDimensions

    dimensions = PoseHeaderDimensions(SIZE_PX, SIZE_PX, SIZE_PX)
    components = [
        PoseHeaderComponent(name, *map(list, mediapipe.layout(name)), "XYZC") for name in WRITTEN
    ]
    header = PoseHeader(0.2, dimensions, components)
    points, joints = _bind(header)
    data = np.zeros((pose.num_frames, 1, header.total_points(), 3), dtype=np.float32)
    confidence = np.zeros(data.shape[:3], dtype=np.float32)
    seen = pose.confidence[:, joints]
    pixels = pose.frames[:, joints] * np.float32(SCALE_PX) + np.array(NECK_PX, dtype=np.float32)
    data[:, 0, points] = np.where(seen[..., None] > 0, pixels, 0)
    confidence[:, 0, points] = seen
    buffer = BytesIO()
    File(header, NumPyPoseBody(pose.fps, data, confidence)).write(buffer)
    path.write_bytes(buffer.getvalue())


def _decode(data: bytes) -> Pose:
    check(data)
    from pose_format import Pose as File

    file = File.read(data)
    points, joints = _bind(file.header)
    values = np.asarray(file.body.data.data[:, 0], dtype=np.float32)[:, points]
    frames = np.zeros((len(values), UPPER_BODY_50.num_joints, 3), dtype=np.float32)
    confidence = np.zeros(frames.shape[:2], dtype=np.float32)
    frames[:, joints, : values.shape[-1]] = values
    confidence[:, joints] = np.clip(file.body.confidence[:, 0][:, points], 0, 1)
    confidence[:, NECK] = np.minimum(confidence[:, LEFT_SHOULDER], confidence[:, RIGHT_SHOULDER])
    fps = float(file.body.fps)
    check_values(frames, confidence, most=MAX_PX)
    frames[confidence <= 0] = 0
    if _is_ours(file.header):
        frames = (frames - np.array(NECK_PX, dtype=np.float32)) / np.float32(SCALE_PX)
        frames[:, NECK] = 0
        return Pose(frames, confidence, fps)
    _place_depth(frames, confidence, width=file.header.dimensions.width)
    return Pose(_normalised(frames, confidence), confidence, fps)


def _bind(header: pose_format.pose_header.PoseHeader) -> tuple[list[int], list[int]]:
    """Give the file's points that we know and our joint for each of them."""
    points: list[int] = []
    joints: list[int] = []
    first = 0
    for component in header.components:
        known = mediapipe.BODY_JOINTS if component.name == mediapipe.BODY else {}
        if component.name in mediapipe.HANDS:
            start = mediapipe.HANDS[component.name].start
            known = {name: start + place for place, name in enumerate(mediapipe.HAND_POINTS)}
        for place, name in enumerate(component.points):
            if name in known and known[name] not in joints:
                points.append(first + place)
                joints.append(known[name])
        first += len(component.points)
    if LEFT_SHOULDER not in joints or RIGHT_SHOULDER not in joints:
        names = ", ".join(component.name for component in header.components)
        raise FormatError(
            f"it must have MediaPipe's POSE_LANDMARKS with both shoulders, but has {names}"
        )
    return points, joints


def _is_ours(header: Any) -> bool:
    dimensions = (header.dimensions.width, header.dimensions.height, header.dimensions.depth)
    names = tuple(component.name for component in header.components)
    return dimensions == (SIZE_PX,) * 3 and names == WRITTEN


def _place_depth(frames: Array, confidence: Array, *, width: int) -> None:
    """Flatten the body and bring each hand's depth to pixels relative to its wrist."""
    frames[:, : mediapipe.HANDS["RIGHT_HAND_LANDMARKS"].start, 2] = 0
    for hand in mediapipe.HANDS.values():
        seen = confidence[:, hand.start] > 0
        if not seen.any():
            continue
        frames[:, hand, 2] -= frames[:, hand.start : hand.start + 1, 2]
        palm = np.linalg.norm(frames[:, hand.start + 9, :2] - frames[:, hand.start, :2], axis=-1)
        if np.abs(frames[seen, hand, 2]).max() < FLAT_DEPTH * palm[seen].max():
            frames[:, hand, 2] *= width


def _normalised(frames: Array, confidence: Array) -> Array:
    """Put the neck at the origin and make the median shoulder width 1."""
    seen = confidence[:, NECK] > 0
    if not seen.any():
        raise FormatError("both shoulders must be seen in some frame, but never are")
    left, right = frames[:, LEFT_SHOULDER], frames[:, RIGHT_SHOULDER]
    width = float(np.median(np.linalg.norm((left - right)[seen, :2], axis=-1)))
    if not 1e-3 < width < 1e6:
        raise FormatError(f"the shoulders must be apart, but are {width:g} pixels wide")
    neck = (left + right) / 2
    neck[~seen] = np.median(neck[seen], axis=0)
    frames[:, NECK] = neck
    return ((frames - neck[:, None]) / width).astype(np.float32)
