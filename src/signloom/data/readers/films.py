"""Recordings that are films, folders of pictures or videos, with or without poses beside them.

Who has no poses yet gives none: every joint is then missing, in as many frames as there are
pictures. Poses come from elsewhere, such as `signloom extract`, in a folder that lies parallel.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from signloom.data.readers.recordings import check_inside, find_recording, load_recording
from signloom.errors import ConfigError, FormatError
from signloom.pipelines.extraction import is_video, nobody, open_footage, pictures_of
from signloom.poses.pose import MAX_FPS, MIN_FPS, Pose

MIN_SIDE_PX, MAX_SIDE_PX = 16, 1024
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class FilmOptions:
    """What films cannot say."""

    poses: str = ""
    """Folder of `.pose` files by name, seen from that of the corpus; by default there are none."""
    fps: float = 25.0
    """Frames per second of the films."""
    side_px: int = 256
    """Side of the squares that the middle of pictures is brought to while they are read."""

    def __post_init__(self) -> None:
        if not MIN_FPS <= self.fps <= MAX_FPS:
            raise ConfigError(f"`fps` must be {MIN_FPS:g} to {MAX_FPS:g}, but is {self.fps:g}.")
        if not MIN_SIDE_PX <= self.side_px <= MAX_SIDE_PX:
            raise ConfigError(
                f"`side_px` must be {MIN_SIDE_PX} to {MAX_SIDE_PX}, but is {self.side_px}."
            )


@dataclass(frozen=True, kw_only=True)
class Film:
    """One recording.

    Attributes:
        path: The folder of its pictures, or a video.
        recording: The file of its poses; None where there is none.
        fps: Frames per second.
        side_px: Side of its pictures once they are read.
    """

    path: Path
    recording: Path | None
    fps: float
    side_px: int

    @property
    def has_poses(self) -> bool:
        """Whether there is a file of poses."""
        return self.recording is not None

    def pictures(self) -> NDArray[np.uint8]:
        """Read the pictures, uint8 [frames, side, side, 3].

        Raises:
            FormatError: A picture cannot be read, or they are too large together.
        """
        film = pictures_of(self.path, side_px=self.side_px, fps=self.fps)
        for warning in film.warnings:
            _log.warning("%s", warning)
        return cast("NDArray[np.uint8]", film.pictures)

    def pose(self) -> Pose:
        """Read the poses; without any, every joint of every frame is missing.

        Raises:
            FormatError: They cannot be read, or are not as many as the pictures.
        """
        count = self._count()
        if self.recording is None:
            return nobody(count, fps=self.fps)
        pose = load_recording(self.recording)
        if pose.num_frames != count:
            raise FormatError(
                f"{self.recording} must have a frame for each of the {count} pictures of "
                f"{self.path}, but has {pose.num_frames}. Extract the poses again."
            )
        return pose

    def _count(self) -> int:
        """Count the pictures; a folder says how many it has, a video must be decoded."""
        footage = open_footage(self.path, fps=self.fps)
        if self.path.is_dir() and footage.num_frames is not None:
            return footage.num_frames
        return sum(1 for _ in footage.pictures)


def find_film(root: Path, name: str, *, films: Path, split: str = "", options: FilmOptions) -> Film:
    """Find the pictures of a recording and, where the options name their folder, its poses.

    Args:
        root: Folder of the corpus.
        name: What its folder of pictures is called, or its video; the pictures may lie in a
            folder `1` in it.
        films: Where that is.
        split: Poses may lie in a folder of this name.
        options: Where poses are, and how pictures are read.

    Raises:
        FormatError: Either is not there, or the name leads out of the folder.
    """
    check_inside(films, name)
    path = films / name
    found = False
    with suppress(OSError):  # a name that is too long is of no folder
        found = path.is_dir() or (is_video(path) and path.is_file())
    if not found:
        raise FormatError(f"names {name!r}, but {films} has no such folder or video")
    recording = None
    if options.poses:
        poses = root / options.poses
        stem = name if path.is_dir() else name.removesuffix(path.suffix)
        recording = find_recording(poses / split if (poses / split).is_dir() else poses, stem)
    inner = path / "1"
    return Film(
        path=inner if inner.is_dir() else path,
        recording=recording,
        fps=options.fps,
        side_px=options.side_px,
    )
