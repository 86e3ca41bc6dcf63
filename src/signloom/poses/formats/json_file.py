"""Poses as JSON: everything by name, for scripts and browsers that know no other format.

Positions and confidences are rounded to 5 decimals (10 micrometres of a signer).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.captions import Caption, of_report
from signloom.poses.pose import MAX_FPS, Pose
from signloom.poses.skeleton import UPPER_BODY_50, Skeleton

Result = TypeVar("Result")
UNIT = "shoulder widths"
DECIMALS = 5
MAX_BYTES = 200_000_000


def to_document(pose: Pose) -> dict[str, Any]:
    """Give the pose as what `json.dumps` takes."""
    return {
        "fps": pose.fps,
        "skeleton": pose.skeleton.name,
        "unit": UNIT,
        "axes": "x right in the image, y down, z away; neck at the origin",
        "joints": list(pose.skeleton.joints),
        "bones": [list(bone) for bone in pose.skeleton.bones],
        "frames": _rounded(pose.frames),
        "confidence": _rounded(pose.confidence),
    }


def from_document(document: object) -> Pose:
    """Make a pose of a document as `to_document` gives it; unknown keys are passed over.

    Raises:
        FormatError: A key is missing or does not hold what it must.
    """
    document = _checked(document)
    if document["joints"] != list(UPPER_BODY_50.joints):
        raise FormatError(
            f"`joints` must be the {UPPER_BODY_50.num_joints} joints of {UPPER_BODY_50.name}, "
            "but are others. `signloom convert --skeleton FILE` reads others."
        )
    if document.get("unit", UNIT) != UNIT:
        raise FormatError(f"`unit` must be `{UNIT}`, but is `{document['unit']}`.")
    frames = _numbers(document["frames"], key="frames")
    return Pose(frames, _confidence(document, frames), _fps(document))


def read(path: Path) -> Pose:
    """Read a pose from a JSON file.

    Raises:
        FormatError: The file is too large, not JSON, or not a pose.
    """
    return _read(path, from_document)


def read_as(path: Path, skeleton: Skeleton) -> Pose:
    """Read the joints of another skeleton from a JSON file, in the file's own unit.

    The file has `fps`, `joints`, `frames` and perhaps `confidence`; positions may have two axes.

    Raises:
        FormatError: The file is too large or not JSON, or a key is missing or does not hold.
    """
    return _read(path, lambda document: _from_others(document, skeleton))


def read_captioned(path: Path) -> tuple[Pose, tuple[Caption, ...]]:
    """Read a pose and, where the file is a report of a production, when each letter is signed.

    Raises:
        FormatError: The file is too large, not JSON, or not a pose, or its `spans` are wrong.
    """
    return _read(path, lambda document: (from_document(document), of_report(document)))


def _read(path: Path, make: Callable[[Any], Result]) -> Result:
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise FormatError(f"{path} must have at most {MAX_BYTES} bytes, but has {size}.")
    try:
        document = json.loads(path.read_bytes(), parse_constant=_refuse_constant)
        return make(document)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} must be JSON, but is not: {error}.") from error
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error


def write(pose: Pose, path: Path) -> None:
    """Write a pose to a JSON file."""
    text = json.dumps(to_document(pose), separators=(",", ":"), allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def _from_others(document: object, skeleton: Skeleton) -> Pose:
    document = _checked(document)
    names = document["joints"]
    if not isinstance(names, list) or not set(skeleton.joints) <= set(map(str, names)):
        raise FormatError(f"`joints` must have every joint of {skeleton.name}, but lacks some.")
    frames = _numbers(document["frames"], key="frames")
    if frames.ndim != 3 or frames.shape[1] != len(names) or frames.shape[2] not in (2, 3):
        raise FormatError(
            f"`frames` must have shape [frames, {len(names)}, 2 or 3], but has "
            f"{list(frames.shape)}."
        )
    confidence = _confidence(document, frames)
    if confidence.shape != frames.shape[:2]:
        raise FormatError(
            f"`confidence` must have shape {list(frames.shape[:2])}, but has "
            f"{list(confidence.shape)}."
        )
    places = [names.index(joint) for joint in skeleton.joints]
    positions = np.zeros((len(frames), skeleton.num_joints, 3), dtype=np.float32)
    positions[..., : frames.shape[2]] = frames[:, places]
    return Pose(positions, confidence[:, places], _fps(document), skeleton)


def _checked(document: object) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise FormatError("A pose must be a JSON object, but is not one.")
    missing = [key for key in ("fps", "joints", "frames") if key not in document]
    if missing:
        raise FormatError(f"A pose must have `{missing[0]}`, but does not.")
    return document


def _fps(document: dict[str, Any]) -> float:
    fps = document["fps"]
    if isinstance(fps, bool) or not isinstance(fps, int | float) or abs(fps) > MAX_FPS:
        raise FormatError(f"`fps` must be a number up to {MAX_FPS:g}, but is {str(fps)[:40]}.")
    return float(fps)


def _confidence(document: dict[str, Any], frames: NDArray[np.float32]) -> NDArray[np.float32]:
    if "confidence" in document:
        return _numbers(document["confidence"], key="confidence")
    return np.ones(frames.shape[:-1], dtype=np.float32)


def _rounded(values: NDArray[np.float32]) -> Any:
    return np.round(values.astype(np.float64), DECIMALS).tolist()


def _numbers(values: object, *, key: str) -> NDArray[np.float32]:
    if not _are_numbers(values, depth=3):
        raise FormatError(f"`{key}` must be nested lists of numbers, but is not.")
    try:
        with np.errstate(over="ignore"):
            return np.asarray(values, dtype=np.float64).astype(np.float32)
    except (ValueError, OverflowError) as error:
        raise FormatError(f"`{key}` must be a full table of numbers, but is not.") from error


def _are_numbers(values: object, *, depth: int) -> bool:
    """Say whether lists in lists end in numbers; to Python, true and "1" make numbers too."""
    if not isinstance(values, list):
        return False
    kinds = set(map(type, values))
    if kinds <= {int, float}:
        return True
    return depth > 1 and kinds == {list} and all(_are_numbers(v, depth=depth - 1) for v in values)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
