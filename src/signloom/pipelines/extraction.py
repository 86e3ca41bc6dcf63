"""A film in, a pose out: what is seen of one signer, frame by frame.

A film is a video, a folder of pictures or a camera. The pose keeps how sure the estimator was of
each joint; where nobody is seen, every confidence is 0. Pictures for models that look at them come
of the same pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.errors import ConfigError, FormatError
from signloom.features.camera import Camera, open_camera
from signloom.features.footage import MAX_FRAMES, Footage, Picture
from signloom.features.frame_folder import is_frames_folder, open_frames
from signloom.features.keypoints import KeypointEstimator, Keypoints
from signloom.features.squares import square
from signloom.features.video import VIDEO_SUFFIXES, is_video, open_video
from signloom.poses.placement import place
from signloom.poses.pose import MAX_FPS, MIN_FPS, Pose
from signloom.poses.skeleton import UPPER_BODY_50

__all__ = [
    "VIDEO_SUFFIXES",
    "Camera",
    "Extraction",
    "Source",
    "is_frames_folder",
    "is_video",
    "nobody",
    "open_footage",
    "pictures_of",
    "pose_of",
]

Source = Path | Camera
"""A video, a folder of pictures, or a camera."""
Advance = Callable[[int], None]

MAX_PICTURE_BYTES = 4 * 2**30


@dataclass(frozen=True, eq=False)
class Extraction:
    """What was seen in a film.

    Attributes:
        pose: Every frame of it; confidence 0 where nobody is seen.
        pictures: The frames themselves, uint8 [frames, side, side, 3], where they were asked for.
        warnings: What is wrong with the film but did not stop the work, each a sentence.
    """

    pose: Pose
    pictures: NDArray[np.uint8] | None = None
    warnings: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether no person was seen in any frame."""
        return not (self.pose.confidence > 0).any()


def pose_of(
    source: Source,
    *,
    fps: float | None = None,
    estimator: KeypointEstimator | None = None,
    pictures_px: int | None = None,
    advance: Advance | None = None,
) -> Extraction:
    """Find a signer's joints in every frame of a film.

    Args:
        source: A video, a folder of pictures, or a camera.
        fps: Frames per second of the result, 0.1 to 240; by default the film's own. A folder of
            pictures has none and is taken to be at this rate, or at 25.
        estimator: What finds the joints; MediaPipe Holistic by default.
        pictures_px: Side of the square pictures to give too; none if not given.
        advance: Called with 1 after each frame.

    Raises:
        FormatError: The film cannot be read, has no frame, or is too large.
        ConfigError: The frame rate is out of range.
        MissingExtraError: MediaPipe is needed and not installed.
    """
    footage = open_footage(source, fps=fps)
    if estimator is None:
        from signloom.features.mediapipe import MediaPipe

        estimator = MediaPipe()
    estimator.reset()
    squares = None if pictures_px is None else _Squares(pictures_px, name=str(source))
    found: list[Keypoints] = []
    before: Picture | None = None
    for picture in footage.pictures:
        # A picture that is shown on is the same array; nothing new is seen in it.
        found.append(found[-1] if picture is before else estimator.estimate(picture))
        before = picture
        if squares is not None:
            squares.add(picture)
        if advance is not None:
            advance(1)
    pose, warnings = _placed(found, fps=footage.fps, name=str(source))
    pictures = None if squares is None else squares.stacked()
    return Extraction(pose, pictures, (*footage.warnings, *warnings))


def pictures_of(
    source: Source, *, side_px: int, fps: float | None = None, advance: Advance | None = None
) -> Extraction:
    """Give the pictures of a film without looking for anybody in them; the pose is all missing.

    Args:
        source: A video, a folder of pictures, or a camera.
        side_px: Side of the square pictures.
        fps: As for `pose_of`.
        advance: Called with 1 after each frame.

    Raises:
        FormatError: The film cannot be read, has no frame, or is too large.
        ConfigError: The frame rate is out of range.
    """
    footage = open_footage(source, fps=fps)
    squares = _Squares(side_px, name=str(source))
    for picture in footage.pictures:
        squares.add(picture)
        if advance is not None:
            advance(1)
    pictures = squares.stacked()
    pose = nobody(len(pictures), fps=footage.fps)
    return Extraction(pose, pictures, tuple(footage.warnings))


def open_footage(source: Source, *, fps: float | None = None) -> Footage:
    """Open a film of any kind; only its header is read.

    Args:
        source: A video, a folder of pictures, or a camera.
        fps: As for `pose_of`.

    Raises:
        FormatError: It cannot be read, or its pictures are too large.
        ConfigError: The frame rate is out of range.
    """
    if fps is not None and not MIN_FPS <= fps <= MAX_FPS:
        raise ConfigError(f"`fps` must be from {MIN_FPS:g} to {MAX_FPS:g}, but is {fps:g}.")
    if isinstance(source, Camera):
        return open_camera(source, fps=fps)
    return open_frames(source, fps=fps) if source.is_dir() else open_video(source, fps=fps)


class _Squares:
    """Square pictures as they come, and their bound."""

    def __init__(self, side_px: int, *, name: str) -> None:
        self._side_px, self._name = side_px, name
        self._most = min(MAX_FRAMES, MAX_PICTURE_BYTES // (3 * side_px**2))
        self._pictures: list[Picture] = []

    def add(self, picture: Picture) -> None:
        if len(self._pictures) == self._most:
            raise FormatError(
                f"{self._name} must have at most {self._most} frames to be seen at "
                f"{self._side_px} pixels, but has more. Cut it into parts."
            )
        self._pictures.append(square(picture, side_px=self._side_px))

    def stacked(self) -> NDArray[np.uint8]:
        return np.stack(self._pictures)


def _placed(found: list[Keypoints], *, fps: float, name: str) -> tuple[Pose, tuple[str, ...]]:
    """Bring the joints of all frames to one scale; say so where nobody can be placed."""
    frames = np.stack([one.points for one in found])
    confidence = np.stack([one.confidence for one in found])
    warnings: tuple[str, ...] = ()
    if not (confidence > 0).any():
        warnings = (f"{name} shows nobody: no person is seen in any of its {len(found)} frames.",)
    else:
        try:
            return Pose(*place(frames, confidence), fps), ()
        except FormatError as error:
            warnings = (f"{name} shows nobody who can be placed: {str(error).rstrip('.')}.",)
    return nobody(len(found), fps=fps), warnings


def nobody(num_frames: int, *, fps: float) -> Pose:
    """Give a pose in which every joint of every frame is missing."""
    joints = UPPER_BODY_50.num_joints
    missing = np.zeros((num_frames, joints), np.float32)
    return Pose(np.zeros((num_frames, joints, 3), np.float32), missing, fps)
