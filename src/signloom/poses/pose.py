"""A pose: the joints of one signer over time, at a constant frame rate.

Coordinates are in shoulder widths with the neck at the origin: x to the right of the image, y
down, z away from the camera. A joint that was not seen has confidence 0; its coordinates mean
nothing and are stored as zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.skeleton import UPPER_BODY_50, Skeleton

MIN_FPS = 0.1
MAX_FPS = 240.0
MAX_COORDINATE = 1e4
"""Shoulder widths; further away nothing is a signer."""


@dataclass(frozen=True, eq=False)
class Pose:
    """Joint positions and confidences, one row a frame.

    Two poses are equal when everything they hold is; a pose has no hash.

    Attributes:
        frames: Positions in shoulder widths, float32 [frames, joints, 3].
        confidence: 0 (missing) to 1, float32 [frames, joints].
        fps: Frames per second, 0.1 to 240.
        skeleton: What the joints are.

    Raises:
        FormatError: There is no frame, shapes disagree, something is no number, the frame rate or
            a confidence is out of range, or a joint that is not missing has a coordinate that is
            not finite or over 10,000.
    """

    frames: NDArray[np.float32]
    confidence: NDArray[np.float32]
    fps: float = 25.0
    skeleton: Skeleton = UPPER_BODY_50

    def __post_init__(self) -> None:
        frames = _numbers(self.frames, name="frames")
        confidence = _numbers(self.confidence, name="confidence")
        _check_shapes(frames, confidence, num_joints=self.skeleton.num_joints)
        _check_fps(self.fps)
        check_values(frames, confidence)
        missing = confidence <= 0
        if missing.any():
            frames = np.where(missing[..., None], np.float32(0), frames)
        object.__setattr__(self, "frames", frames)
        object.__setattr__(self, "confidence", confidence)
        object.__setattr__(self, "fps", float(self.fps))

    @classmethod
    def of(cls, frames: NDArray[np.float32], *, fps: float = 25.0) -> Pose:
        """Make a pose in which every joint was seen."""
        frames = _numbers(frames, name="frames")
        return cls(frames, np.ones(frames.shape[:-1], dtype=np.float32), fps)

    @staticmethod
    def concatenate(poses: Sequence[Pose]) -> Pose:
        """Put poses of one skeleton and frame rate one after the other.

        Raises:
            FormatError: There is nothing to join, or frame rates or skeletons differ.
        """
        if not poses:
            raise FormatError("At least one pose is needed to concatenate, but there is none.")
        first = poses[0]
        for pose in poses:
            if pose.fps != first.fps or pose.skeleton != first.skeleton:
                raise FormatError(
                    "Poses to concatenate must share frame rate and skeleton, but "
                    f"{first.fps:g} fps {first.skeleton.name} meets "
                    f"{pose.fps:g} fps {pose.skeleton.name}. Resample first."
                )
        frames = np.concatenate([pose.frames for pose in poses])
        confidence = np.concatenate([pose.confidence for pose in poses])
        return Pose(frames, confidence, first.fps, first.skeleton)

    @staticmethod
    def load(path: str | Path) -> Pose:
        """Read a pose; the suffix says how.

        Raises:
            FormatError: The suffix is unknown or the file is not what it promises.
        """
        from signloom.poses import formats

        return formats.read(Path(path))

    def save(self, path: str | Path, *, captions: Sequence[tuple[float, float, str]] = ()) -> None:
        """Write the pose; the suffix says how. The file appears whole or not at all.

        Args:
            path: Ends in `.pose`, `.json`, `.skels`, `.pt`, `.mp4`, `.gif`, `.png` or `.svg`.
            captions: Start and end in seconds and the text signed meanwhile, in order; drawn under
                the figure by the formats that draw one.

        Raises:
            FormatError: The suffix is unknown or the place cannot be written to.
        """
        from signloom.poses import formats

        formats.write(self, Path(path), captions=captions)

    @property
    def num_frames(self) -> int:
        """Number of frames."""
        return int(self.frames.shape[0])

    @property
    def duration_s(self) -> float:
        """Duration in seconds: frames divided by frames per second."""
        return self.num_frames / self.fps

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return (
            self.fps == other.fps
            and self.skeleton == other.skeleton
            and np.array_equal(self.frames, other.frames)
            and np.array_equal(self.confidence, other.confidence)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        joints = self.skeleton.num_joints
        return f"Pose({self.num_frames} frames, {joints} joints, {self.fps:g} fps)"

    def __len__(self) -> int:
        return self.num_frames

    def __getitem__(self, frames: slice) -> Pose:
        """Cut out a range of frames."""
        return Pose(self.frames[frames], self.confidence[frames], self.fps, self.skeleton)


def _check_shapes(
    frames: NDArray[np.float32], confidence: NDArray[np.float32], *, num_joints: int
) -> None:
    if frames.ndim != 3 or frames.shape[1:] != (num_joints, 3):
        raise FormatError(
            f"`frames` must have shape [frames, {num_joints}, 3], but has {list(frames.shape)}."
        )
    if confidence.shape != frames.shape[:2]:
        raise FormatError(
            f"`confidence` must have shape {list(frames.shape[:2])}, one value a joint, "
            f"but has {list(confidence.shape)}."
        )
    if len(frames) == 0:
        raise FormatError("A pose must have at least one frame, but has none.")


def _numbers(values: object, *, name: str) -> NDArray[np.float32]:
    """Give an array of numbers as float32; what is too large for it becomes infinite."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise FormatError(f"`{name}` must have rows of one length, but is ragged.") from None
    if array.dtype.kind not in "biuf":
        raise FormatError(f"`{name}` must be an array of numbers, but holds {array.dtype}.")
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return array.astype(np.float32, copy=False)


def _check_fps(fps: object) -> None:
    is_number = isinstance(fps, Real) and not isinstance(fps, bool | np.bool_)
    if not (is_number and MIN_FPS <= fps <= MAX_FPS):  # type: ignore[operator]
        raise FormatError(
            f"`fps` must be a number from {MIN_FPS:g} to {MAX_FPS:g}, but is {str(fps)[:40]!r}."
        )


def check_values(
    frames: NDArray[np.float32], confidence: NDArray[np.float32], *, most: float = MAX_COORDINATE
) -> None:
    """Refuse values that no pose has; coordinates of missing joints may be anything.

    Args:
        frames: Positions [frames, joints, axes].
        confidence: 0 to 1 [frames, joints].
        most: Largest coordinate, either way.

    Raises:
        FormatError: A value does not hold; the message says where the first is.
    """
    unsure = ~((confidence >= 0) & (confidence <= 1))
    if unsure.any():
        frame, joint = (int(index) for index in np.argwhere(unsure)[0])
        raise FormatError(
            f"`confidence` must be from 0 to 1, but joint {joint} of frame {frame} has "
            f"{confidence[frame, joint]:g}."
        )
    bad = ~(np.abs(frames) <= most).all(axis=-1) & (confidence > 0)
    if bad.any():
        frame, joint = (int(index) for index in np.argwhere(bad)[0])
        found = ", ".join(f"{value:g}" for value in frames[frame, joint])
        raise FormatError(
            f"Coordinates of visible joints must be finite and at most {most:g} either way, but "
            f"joint {joint} of frame {frame} is at {found}. Give a joint that was not seen "
            "confidence 0."
        )
