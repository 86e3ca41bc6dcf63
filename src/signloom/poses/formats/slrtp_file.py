"""`.pt` files of the SLRTP 2025 challenge: many sequences of 178 points, saved by PyTorch.

A file is a dictionary `{id: {name, text, gloss, poses_3d [frames, 178, 3], speaker}}`. The points
are 8 of the body (shoulder, elbow and wrist of both sides, hips), 21 of each hand and 128 of the
face. There is no neck, no nose, no frame rate (25 is the corpus's) and no missing point.

Nothing is taken on trust about sides and axes. The arm with the larger x is the signer's left; a
hand belongs to the wrist it hangs on; where the hips have the smaller y, y runs upwards and the
figure is turned. The head is the middle of the face.

Writing gives shoulder widths / 3, as `.skels` has them. What our skeleton lacks must still be
somewhere: the hips stand under the shoulders, and every point of the face where the head is.
Needs PyTorch, which may hold all of the file in memory.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError, MissingExtraError
from signloom.poses.formats.recording import Recording
from signloom.poses.formats.skels_file import FPS, SCALE, check
from signloom.poses.placement import place
from signloom.poses.pose import Pose
from signloom.poses.skeleton import (
    HEAD,
    LEFT_HAND,
    LEFT_SHOULDER,
    LEFT_WRIST,
    NECK,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    RIGHT_WRIST,
    UPPER_BODY_50,
)

Array = NDArray[np.float32]
NUM_POINTS = 178
ARMS = (slice(0, 3), slice(3, 6))
HIPS = slice(6, 8)
HANDS = (slice(8, 29), slice(29, 50))
FACE = slice(50, 178)
HIP_PLACES = ((-0.3, 1.6, 0.0), (0.3, 1.6, 0.0))
"""Right and left, in shoulder widths from the neck."""

MAX_BYTES = 8_000_000_000
RIGHT_ARM = slice(RIGHT_SHOULDER, RIGHT_WRIST + 1)
LEFT_ARM = slice(LEFT_SHOULDER, LEFT_WRIST + 1)


def read(path: Path) -> Pose:
    """Read the one sequence of a file.

    Raises:
        FormatError: The file holds several, or is not what it must be.
    """
    recordings = read_all(path)
    pose = next(recordings).pose
    if next(recordings, None) is not None:
        raise FormatError(
            f"{path} must hold one sequence to be read as a pose, but holds several. "
            "Choose one with `signloom convert --sequence N`."
        )
    return pose


def read_all(path: Path) -> Iterator[Recording]:
    """Read every sequence of a file, one at a time.

    Raises:
        FormatError: The file is not a dictionary of sequences that PyTorch saved, or a sequence
            has the wrong shape, no frame, or a coordinate that is not finite.
        MissingExtraError: PyTorch is not installed.
    """
    content = _load(path)
    if not isinstance(content, dict) or not content:
        raise FormatError(f"{path} must hold a dictionary of sequences, but does not.")
    for key, entry in content.items():
        place_named = f"{path} sequence {str(key)[:80]!r}"
        if not isinstance(entry, dict) or "poses_3d" not in entry:
            raise FormatError(f"{place_named} must be a dictionary with `poses_3d`, but is not.")
        points = _points(entry["poses_3d"], place_named=place_named)
        try:
            frames, confidence = place(*_bind(points))
            pose = Pose(frames, confidence, FPS)
        except FormatError as error:
            raise FormatError(f"{place_named}: {error}") from error
        words = (str(entry.get(name) or "") for name in ("text", "gloss", "speaker"))
        yield Recording(str(key), pose, *words)


def write(pose: Pose, path: Path) -> None:
    """Write a file of one sequence, named 1.

    Raises:
        FormatError: The frame rate is not 25, or a joint is missing in some frame.
        MissingExtraError: PyTorch is not installed.
    """
    write_all([Recording("1", pose)], path)


def write_all(recordings: Iterable[Recording], path: Path) -> None:
    """Write sequences under their names.

    Raises:
        FormatError: A frame rate is not 25, a joint is missing, a name comes twice, or there is
            no sequence.
        MissingExtraError: PyTorch is not installed.
    """
    torch = _torch()
    content: dict[str, dict[str, Any]] = {}
    for recording in recordings:
        check(recording.pose, format_name=".pt")
        if recording.name in content:
            raise FormatError(
                f"Sequences of a .pt file must have different names, but two are called "
                f"{recording.name!r}."
            )
        content[recording.name] = {
            "name": recording.name,
            "text": recording.text,
            "gloss": recording.gloss,
            "poses_3d": torch.from_numpy(_unbind(recording.pose.frames)),
            "speaker": recording.signer,
        }
    if not content:
        raise FormatError("A .pt file must hold at least one sequence, but there is none.")
    torch.save(content, str(path))


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError("train", "A .pt file of the SLRTP challenge") from error
    return torch


def _load(path: Path) -> Any:
    torch = _torch()
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            size = sum(member.file_size for member in members)
            if size > MAX_BYTES or any(member.compress_type for member in members):
                raise FormatError(
                    f"{path} must be stored uncompressed in at most {MAX_BYTES} bytes, but is not."
                )
        return torch.load(str(path), map_location="cpu", weights_only=True, mmap=True)
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror or error}.") from error
    except FormatError:
        raise
    except Exception as error:  # PyTorch raises whatever the damage leads to
        reason = str(error).strip().split("\n")[0].split(". ")[0][:120] or type(error).__name__
        raise FormatError(f"{path} must be saved by PyTorch, but is not: {reason}.") from error


def _points(tensor: Any, *, place_named: str) -> Array:
    shape = list(getattr(tensor, "shape", ()))
    if len(shape) != 3 or shape[1:] != [NUM_POINTS, 3] or shape[0] < 1:
        raise FormatError(
            f"{place_named} must have poses_3d of shape [frames, {NUM_POINTS}, 3] with at least "
            f"one frame, but has {shape}."
        )
    is_real = getattr(tensor, "is_floating_point", bool)()
    # A tensor may claim more numbers than it holds, by repeating them.
    if not is_real or tensor.untyped_storage().nbytes() < tensor.numel() * tensor.element_size():
        raise FormatError(f"{place_named} must have a number for each coordinate, but has not.")
    points: Array = tensor.detach().float().numpy()
    if not np.isfinite(points).all():
        frame, point = (int(index) for index in np.argwhere(~np.isfinite(points))[0][:2])
        raise FormatError(
            f"{place_named} must hold finite numbers, but point {point} of frame {frame} does not."
        )
    return points


def _bind(points: Array) -> tuple[Array, Array]:
    """Give our joints [frames, 50, 3] in the file's unit, and their confidence."""
    if points[:, HIPS, 1].mean() < points[:, [0, 3], 1].mean():
        points = points * np.array([1, -1, -1], dtype=np.float32)
    left = int(np.median(points[:, 3, 0] - points[:, 0, 0]) > 0)
    wrists = [points[:, arm.stop - 1] for arm in ARMS]
    roots = [points[:, hand.start] for hand in HANDS]
    straight, crossed = (
        sum(
            float(np.linalg.norm(wrist - root, axis=-1).mean())
            for wrist, root in zip(wrists, pair, strict=True)
        )
        for pair in (roots, roots[::-1])
    )
    hands = HANDS if straight <= crossed else HANDS[::-1]
    frames = np.zeros((len(points), UPPER_BODY_50.num_joints, 3), dtype=np.float32)
    frames[:, HEAD] = points[:, FACE].mean(axis=1)
    frames[:, LEFT_ARM], frames[:, RIGHT_ARM] = points[:, ARMS[left]], points[:, ARMS[1 - left]]
    frames[:, LEFT_HAND], frames[:, RIGHT_HAND] = (
        points[:, hands[left]],
        points[:, hands[1 - left]],
    )
    confidence = np.ones(frames.shape[:2], dtype=np.float32)
    confidence[:, NECK] = 0  # between the shoulders
    return frames, confidence


def _unbind(frames: Array) -> Array:
    """Give the 178 points in thirds of a shoulder width [frames, 178, 3]."""
    points = np.empty((len(frames), NUM_POINTS, 3), dtype=np.float32)
    points[:, ARMS[0]], points[:, ARMS[1]] = frames[:, RIGHT_ARM], frames[:, LEFT_ARM]
    points[:, HIPS] = np.array(HIP_PLACES, dtype=np.float32)
    points[:, HANDS[0]], points[:, HANDS[1]] = frames[:, RIGHT_HAND], frames[:, LEFT_HAND]
    points[:, FACE] = frames[:, HEAD : HEAD + 1]
    return points / np.float32(SCALE)
