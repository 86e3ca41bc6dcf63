"""A skeleton of one's own in JSON, and which of its joints are ours.

    {
      "name": "mine",
      "joints": ["pelvis", "chest", "l_shoulder", "r_shoulder"],
      "bones": [[0, 1], [1, 2], [1, 3]],
      "mapping": {"neck": "chest", "left_shoulder": "l_shoulder", "right_shoulder": "r_shoulder"}
    }

`mapping` gives for a joint of ours the joint of theirs; without it, joints that share a name are
the same. Joints of ours that are not mapped are missing.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from signloom.errors import FormatError
from signloom.poses.placement import place
from signloom.poses.pose import Pose
from signloom.poses.skeleton import LEFT_SHOULDER, RIGHT_SHOULDER, UPPER_BODY_50, Skeleton

MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class MappedSkeleton:
    """A skeleton and where our joints are in it.

    Attributes:
        skeleton: Theirs.
        mapping: Pairs (our joint, their joint), as indices.
    """

    skeleton: Skeleton
    mapping: tuple[tuple[int, int], ...]

    def to_upper_body(self, pose: Pose) -> Pose:
        """Give a pose of their skeleton as our 50 joints in shoulder widths.

        Raises:
            FormatError: A shoulder is not mapped, or they are never seen together or not apart.
        """
        ours = [joint for joint, _ in self.mapping]
        theirs = [joint for _, joint in self.mapping]
        for shoulder in (LEFT_SHOULDER, RIGHT_SHOULDER):
            if shoulder not in ours:
                raise FormatError(
                    f"`mapping` of the skeleton {self.skeleton.name} must have both shoulders to "
                    f"find the unit, but lacks {UPPER_BODY_50.joints[shoulder]}."
                )
        frames = np.zeros((pose.num_frames, UPPER_BODY_50.num_joints, 3), dtype=np.float32)
        confidence = np.zeros(frames.shape[:2], dtype=np.float32)
        frames[:, ours] = pose.frames[:, theirs]
        confidence[:, ours] = pose.confidence[:, theirs]
        frames, confidence = place(frames, confidence)
        return Pose(frames, confidence, pose.fps)


def read_skeleton(path: Path) -> MappedSkeleton:
    """Read a skeleton and its mapping.

    Raises:
        FormatError: The file cannot be read or is not such a document, two joints share a name,
            the bones are no tree of all joints, or the mapping names a joint that is not there.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise FormatError(f"it must have at most {MAX_BYTES} bytes, but has more")
        document = json.loads(data)
        skeleton = _skeleton(document)
        return MappedSkeleton(skeleton, _mapping(document, skeleton))
    except OSError as error:
        raise FormatError(f"The skeleton {path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"The skeleton {path} must be JSON, but is not: {error}.") from error
    except FormatError as error:
        raise FormatError(f"The skeleton {path} does not hold: {error}.") from error


def _skeleton(document: Any) -> Skeleton:
    match document:
        case {"name": str(name), "joints": list(joints), "bones": list(bones)} if name:
            pass
        case _:
            raise FormatError("it must have a `name` and the lists `joints` and `bones`")
    if not joints or not all(isinstance(joint, str) and joint for joint in joints):
        raise FormatError("`joints` must be names, and at least one")
    twice = [joint for joint, count in Counter(joints).items() if count > 1]
    if twice:
        raise FormatError(f"joints must have different names, but `{twice[0]}` comes twice")
    for bone in bones:
        if not _is_bone(bone, num_joints=len(joints)):
            raise FormatError(
                f"a bone must be two different indices of joints, 0 to {len(joints) - 1}, but one "
                f"is {str(bone)[:40]}"
            )
    _check_tree(joints, [tuple(bone) for bone in bones])
    return Skeleton(name, tuple(joints), tuple((bone[0], bone[1]) for bone in bones))


def _is_bone(bone: object, *, num_joints: int) -> bool:
    if not isinstance(bone, list) or [type(end) for end in bone] != [int, int]:
        return False
    return bone[0] != bone[1] and all(end in range(num_joints) for end in bone)


def _check_tree(joints: list[str], bones: list[tuple[int, ...]]) -> None:
    parents: dict[int, int] = {}
    for parent, child in bones:
        if child in parents:
            raise FormatError(f"a joint must have one parent, but `{joints[child]}` has two")
        parents[child] = parent
    roots = [joint for joint in range(len(joints)) if joint not in parents]
    if len(roots) != 1:
        found = ", ".join(f"`{joints[root]}`" for root in roots[:3]) or "none"
        raise FormatError(
            f"bones must be a tree with one joint that has no parent, but {len(roots)} have none "
            f"({found})"
        )
    for joint in range(len(joints)):
        above, steps = joint, 0
        while above in parents and steps <= len(joints):
            above, steps = parents[above], steps + 1
        if above != roots[0]:
            raise FormatError(f"bones must be a tree, but `{joints[joint]}` is in a ring")


def _mapping(document: Any, skeleton: Skeleton) -> tuple[tuple[int, int], ...]:
    shared = {joint: joint for joint in skeleton.joints if joint in UPPER_BODY_50.joints}
    mapping = document.get("mapping", shared)
    if not isinstance(mapping, dict):
        raise FormatError("`mapping` must give a joint of theirs for joints of ours, but does not")
    pairs = []
    for ours, theirs in mapping.items():
        for joint, known in ((ours, UPPER_BODY_50), (theirs, skeleton)):
            if joint not in known.joints:
                raise FormatError(
                    f"`mapping` must name joints of {known.name}, but has {str(joint)[:40]!r}"
                )
        pairs.append((UPPER_BODY_50.joints.index(ours), skeleton.joints.index(theirs)))
    return tuple(pairs)
