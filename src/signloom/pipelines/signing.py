"""Recordings of signing, whatever they come in: files of poses, videos, pictures, a camera.

Each becomes an `Extraction`: a pose, with pictures where a model looks at them. One estimator finds
the joints in all films of a reader; it is opened when the first comes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from signloom.errors import ConfigError, FormatError
from signloom.features.footage import Picture
from signloom.features.keypoints import KeypointEstimator, Keypoints
from signloom.pipelines.extraction import (
    VIDEO_SUFFIXES,
    Camera,
    Extraction,
    is_frames_folder,
    is_video,
    open_footage,
    pictures_of,
    pose_of,
)
from signloom.poses import formats
from signloom.poses.formats import many

POSE_SUFFIXES = tuple(formats.READERS)
SUFFIXES = (*POSE_SUFFIXES, *VIDEO_SUFFIXES)
One = TypeVar("One")


class Recorded(NamedTuple):
    """One recording.

    Attributes:
        name: The file or camera; of a file of several, a colon and which of them follows.
        extraction: What is seen in it.
    """

    name: str
    extraction: Extraction


class SigningReader:
    """Reads recordings as one model sees them.

    Args:
        fps: Frames per second of the model, at which films are looked at.
        needs_joints: Whether it reads poses.
        picture_px: Side of the pictures that it reads; 0 for none.
        estimator: What finds joints in films; MediaPipe Holistic by default.
    """

    def __init__(
        self,
        *,
        fps: float,
        needs_joints: bool = True,
        picture_px: int = 0,
        estimator: KeypointEstimator | None = None,
    ) -> None:
        self._fps, self._needs_joints, self._picture_px = fps, needs_joints, picture_px
        self._estimator = estimator or _MediaPipe()

    def read(
        self, source: Path | Camera, *, advance: Callable[[int], None] | None = None
    ) -> Iterator[Recorded]:
        """Read every recording of a source.

        Args:
            source: A file of poses, a video, a folder of its frames, or a camera.
            advance: Told of every frame of a film.

        Raises:
            FormatError: It is missing or not what it promises.
            ConfigError: Pictures are read, and a pose has none.
            MissingExtraError: MediaPipe is needed and not installed.
        """
        if is_film(source):
            yield Recorded(str(source), self._seen(source, advance))
            return
        path = Path(str(source))
        _check_suffix(path)
        if self._picture_px:
            raise ConfigError(
                f"The model looks at pictures, but {path} holds poses. Give it the video, or a "
                "folder of its frames."
            )
        formats.check_input(path)
        if path.suffix.lower() not in many.SUFFIXES:
            yield Recorded(str(path), Extraction(formats.read(path)))
            return
        for recording in many.read_all(path):
            yield Recorded(f"{path}:{recording.name}", Extraction(recording.pose))

    def read_one(
        self, source: Path | Camera, *, advance: Callable[[int], None] | None = None
    ) -> Extraction:
        """Read the one recording of a source.

        Raises:
            UserError: As `read`, or the file holds several.
        """
        return only_one(self.read(source, advance=advance), source).extraction

    def _seen(self, source: Path | Camera, advance: Callable[[int], None] | None) -> Extraction:
        if not self._needs_joints:
            return pictures_of(source, side_px=self._picture_px, fps=self._fps, advance=advance)
        return pose_of(
            source,
            fps=self._fps,
            estimator=self._estimator,
            pictures_px=self._picture_px or None,
            advance=advance,
        )


def only_one(items: Iterator[One], source: object) -> One:
    """Take the only one of what a source holds.

    Raises:
        FormatError: It holds several.
    """
    found = next(items)
    if next(items, None) is not None:
        raise FormatError(
            f"{source} must hold one recording or sentence to be read as one, but holds several. "
            "Read it on the command line, which takes them all."
        )
    return found


def is_film(source: Path | Camera) -> bool:
    """Say whether it is a camera, a video by its name, or a folder of pictures."""
    return isinstance(source, Camera) or is_video(source) or _has_pictures(source)


def is_folder(path: Path) -> bool:
    """Say whether it is a folder, whatever its name."""
    try:
        return path.is_dir()
    except OSError:  # a name too long, a folder closed to us: what reads the file says which
        return False


def count_frames(source: Path | Camera, *, fps: float) -> int | None:
    """Tell how many frames of a film will be looked at, roughly; None where nobody knows.

    Args:
        source: Any recording.
        fps: Frames per second at which it is looked at.

    Raises:
        FormatError: It is a film that cannot be opened.
    """
    if isinstance(source, Camera):
        return round(source.seconds * fps)
    return open_footage(source, fps=fps).num_frames if is_film(source) else None


def find_recordings(folder: Path) -> list[Path]:
    """List what a folder and its folders hold of signing, by name.

    Raises:
        ConfigError: There is nothing.
    """
    found = find(folder, SUFFIXES, pictures=True)
    if not found:
        raise ConfigError(
            f"{folder} must hold poses ({' '.join(POSE_SUFFIXES)}), videos or pictures, but holds "
            "none."
        )
    return found


def find(folder: Path, suffixes: Sequence[str], *, pictures: bool = False) -> list[Path]:
    """List the files of a folder and its folders, by name.

    Args:
        folder: The folder. What begins with a dot is left out.
        suffixes: How the names of files end.
        pictures: List folders of pictures too, and look for nothing in them.
    """
    found = []
    for name, folders, files in os.walk(folder):
        here = Path(name)
        inside = {one: pictures and _has_pictures(here / one) for one in folders if one[0] != "."}
        folders[:] = [one for one, is_one in inside.items() if not is_one]
        found += [here / one for one, is_one in inside.items() if is_one]
        found += [
            here / one for one in files if one[0] != "." and Path(one).suffix.lower() in suffixes
        ]
    return sorted(found)


def _has_pictures(path: Path) -> bool:
    try:
        return is_frames_folder(path)
    except OSError:  # closed to us, a name too long: what reads it says which
        return False


def _check_suffix(path: Path) -> None:
    if path.suffix.lower() not in POSE_SUFFIXES:
        found = f"`{path.suffix}`" if path.suffix else "no suffix"
        raise FormatError(
            f"What holds signing must end in one of {' '.join(SUFFIXES)} or be a folder of "
            f"pictures, but {str(path)[:200]} has {found}."
        )


class _MediaPipe:
    """MediaPipe Holistic, imported when the first film is open: one that is none says so first."""

    def __init__(self) -> None:
        self._opened: KeypointEstimator | None = None

    def reset(self) -> None:
        self._open().reset()

    def estimate(self, picture: Picture) -> Keypoints:
        return self._open().estimate(picture)

    def _open(self) -> KeypointEstimator:
        if self._opened is None:
            from signloom.features.mediapipe import MediaPipe

            self._opened = MediaPipe()
        return self._opened
