"""Which points of a `.pose` file are our joints: component and point names decide.

Files that keep no nose have a face; the middle of MediaPipe's face points lies on the nose (within
0.05 shoulder widths in files that have both) and is taken for the head.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.formats import mediapipe, openpose
from signloom.poses.formats.component import Component
from signloom.poses.skeleton import HEAD, LEFT_SHOULDER, RIGHT_SHOULDER, Skeleton

if TYPE_CHECKING:
    import pose_format

LAYOUTS: dict[str, tuple[Component, ...]] = {
    "mediapipe": mediapipe.COMPONENTS,
    "openpose": openpose.COMPONENTS,
}
"""Layouts that can be written."""
_KNOWN = {part.name: part for components in LAYOUTS.values() for part in components}


def bind(header: pose_format.pose_header.PoseHeader) -> tuple[list[int], list[int]]:
    """Give the file's points that we know and our joint for each of them.

    Raises:
        FormatError: The points of both shoulders are not among them.
    """
    points: list[int] = []
    joints: list[int] = []
    first = 0
    for component in header.components:
        known = _KNOWN[component.name].joints if component.name in _KNOWN else {}
        for place, name in enumerate(component.points):
            if name in known and known[name] not in joints:
                points.append(first + place)
                joints.append(known[name])
        first += len(component.points)
    if LEFT_SHOULDER not in joints or RIGHT_SHOULDER not in joints:
        raise FormatError(
            f"it must have {mediapipe.BODY.name} or {openpose.BODY.name} with both shoulders, "
            f"but has {_names(header)}"
        )
    return points, joints


def bind_skeleton(header: pose_format.pose_header.PoseHeader, skeleton: Skeleton) -> list[int]:
    """Give the file's point for each joint of a skeleton.

    A joint is named as its point is, or as COMPONENT/POINT where several points share the name.

    Raises:
        FormatError: A joint has no point, or several.
    """
    places: dict[str, list[int]] = {}
    point = 0
    for component in header.components:
        for name in component.points:
            for known_as in (name, f"{component.name}/{name}"):
                places.setdefault(known_as, []).append(point)
            point += 1
    for joint in skeleton.joints:
        found = len(places.get(joint, []))
        if found != 1:
            raise FormatError(
                f"the joint `{joint}` of {skeleton.name} must be one point of the file, but "
                f"{found} are called so; COMPONENT/POINT names one of several"
            )
    return [places[joint][0] for joint in skeleton.joints]


def face_points(header: pose_format.pose_header.PoseHeader) -> slice:
    """Give where MediaPipe's face points are; nowhere if there are none."""
    first = 0
    for component in header.components:
        if component.name == mediapipe.FACE:
            return slice(first, first + len(component.points))
        first += len(component.points)
    return slice(0, 0)


def add_head(
    frames: NDArray[np.float32],
    confidence: NDArray[np.float32],
    *,
    face: NDArray[np.float32],
    face_confidence: NDArray[np.float32],
) -> None:
    """Put the head in the middle of the face points that were seen; in place.

    Args:
        frames: Positions [frames, 50, 3].
        confidence: 0 to 1 [frames, 50].
        face: Positions of the face points [frames, points, axes].
        face_confidence: 0 to 1 [frames, points].
    """
    weight = (face_confidence > 0).astype(np.float32)
    total = weight.sum(axis=1)
    seen = total > 0
    middle = (np.where(weight[..., None] > 0, face, 0)).sum(axis=1)[seen] / total[seen, None]
    frames[seen, HEAD, : face.shape[-1]] = middle
    confidence[seen, HEAD] = (face_confidence * weight).sum(axis=1)[seen] / total[seen]


def layout_of(header: Any, size: int) -> str | None:
    """Give the layout in which we wrote a file; none if it is not ours.

    Args:
        header: The file's header.
        size: Width, height and depth that our files have.
    """
    dimensions = (header.dimensions.width, header.dimensions.height, header.dimensions.depth)
    found = tuple((component.name, component.format) for component in header.components)
    for layout, components in LAYOUTS.items():
        expected = tuple((component.name, "XYZC") for component in components)
        if dimensions == (size,) * 3 and found == expected:
            return layout
    return None


def _names(header: pose_format.pose_header.PoseHeader) -> str:
    return ", ".join(component.name for component in header.components)
