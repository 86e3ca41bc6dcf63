"""`.skels`: the text files of sign-language production, one sequence a line.

A line holds frames x 151 numbers: 50 joints x (x, y, z), then a counter that runs from 0 to
(T - 1) / T. The joints are ours, in our order, with the neck at the origin and the shoulders a
third of a unit apart, so that a shoulder width is 3 x the number; depth grows towards the camera,
ours away from it. The format has no frame rate
(its corpora have 25 frames a second), no missing joints and no names; the parallel file `.files`
names the lines.

The tools of the field name the sides differently. By default joints 2-4 are the signer's left arm,
which has the larger x; `swap_sides` binds them the other way. The counter is not read: it follows
from the number of frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.mirror import SWAPPED
from signloom.poses.pose import Pose
from signloom.poses.skeleton import NECK, UPPER_BODY_50

FPS = 25.0
SCALE = 3.0
TO_OURS = np.array([SCALE, SCALE, -SCALE])
NUM_COORDINATES = 3 * UPPER_BODY_50.num_joints
NUM_VALUES = NUM_COORDINATES + 1
MAX_LINE_BYTES = 64_000_000
"""About half an hour of signing."""

MAX_OFFSET = 1e-3
"""How far from the origin a neck may be, as models that predict `.skels` place it."""


def read(path: Path) -> Pose:
    """Read the one sequence of a file.

    Raises:
        FormatError: The file holds several, or a line does not hold.
    """
    poses = read_all(path)
    pose = next(poses)
    if next(poses, None) is not None:
        raise FormatError(
            f"{path} must hold one sequence to be read as a pose, but holds several. "
            "Choose one with `signloom convert --sequence N`."
        )
    return pose


def read_all(path: Path, *, swap_sides: bool = False) -> Iterator[Pose]:
    """Read every sequence of a file, one at a time.

    Args:
        path: The file.
        swap_sides: Take joints 2-4 and their hand for the signer's right, not left.

    Raises:
        FormatError: The file is empty or cannot be read, or a line has a wrong count, something
            that is no finite number, no frame, or a neck that is not at the origin.
    """
    number = 0
    try:
        with path.open("rb") as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                frames = parse_line(line, place=f"{path} line {number}")
                yield Pose.of(frames[:, SWAPPED] if swap_sides else frames, fps=FPS)
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    if number == 0:
        raise FormatError(f"{path} must hold at least one sequence, but is empty.")


def write(pose: Pose, path: Path) -> None:
    """Write a file of one sequence.

    Raises:
        FormatError: The frame rate is not 25, or a joint is missing in some frame.
    """
    write_all([pose], path)


def write_all(poses: Iterable[Pose], path: Path, *, swap_sides: bool = False) -> None:
    """Write a sequence a line, one at a time.

    Args:
        poses: What to write, at 25 fps and without missing joints.
        path: Where to.
        swap_sides: Write the signer's right arm and hand where the left are by default.

    Raises:
        FormatError: The frame rate is not 25, a joint is missing, or there is no pose.
    """
    is_empty = True
    with path.open("w", encoding="ascii", newline="\n") as file:
        for pose in poses:
            check(pose, format_name=".skels")
            frames = pose.frames[:, SWAPPED] if swap_sides else pose.frames
            file.write(_line(frames) + "\n")
            is_empty = False
    if is_empty:
        raise FormatError("A .skels file must hold at least one sequence, but there is none.")


def check(pose: Pose, *, format_name: str) -> None:
    """Refuse a pose that a format without frame rate and missing joints cannot hold.

    Raises:
        FormatError: The frame rate is not 25, or a joint is missing in some frame.
    """
    if pose.fps != FPS:
        raise FormatError(
            f"A {format_name} file has no frame rate and is read at {FPS:g} fps, but the pose has "
            f"{pose.fps:g}. Resample it first."
        )
    missing = np.argwhere(pose.confidence <= 0)
    if len(missing):
        frame, joint = (int(index) for index in missing[0])
        raise FormatError(
            f"A {format_name} file has no missing joints, but {pose.skeleton.joints[joint]} is "
            f"missing in frame {frame}. Fill the gaps first."
        )


def parse_line(line: bytes, *, place: str) -> NDArray[np.float32]:
    """Give the frames of a line in shoulder widths [frames, 50, 3].

    Args:
        line: The bytes of the line.
        place: Its file and number, for messages.

    Raises:
        FormatError: The line does not hold; see `read_all`.
    """
    if len(line) > MAX_LINE_BYTES:
        raise FormatError(f"{place} must have at most {MAX_LINE_BYTES} bytes, but has more.")
    words = line.split()
    if not words:
        raise FormatError(f"{place} must hold at least one frame, but is empty.")
    if len(words) % NUM_VALUES:
        raise FormatError(
            f"{place} must hold frames x {NUM_VALUES} numbers, but holds {len(words)} "
            f"({len(words) / NUM_VALUES:.2f} frames)."
        )
    values = _numbers(words, place=place).reshape(-1, NUM_VALUES)
    frames = values[:, :NUM_COORDINATES].reshape(len(values), UPPER_BODY_50.num_joints, 3)
    offset = np.abs(frames[:, NECK]).max(axis=-1)
    if offset.max() > MAX_OFFSET:
        frame = int(np.argmax(offset > MAX_OFFSET))
        found = " ".join(f"{value:g}" for value in frames[frame, NECK])
        raise FormatError(
            f"{place} must have the neck, joint {NECK}, at the origin, but frame {frame} has it "
            f"at {found}."
        )
    frames[:, NECK] = 0
    return np.asarray(frames * TO_OURS + 0.0, dtype=np.float32)


def _numbers(words: list[bytes], *, place: str) -> NDArray[np.float64]:
    try:
        values = np.array(words).astype(np.float64)
        if (np.abs(values) < 1e4 / SCALE).all():
            return values
    except ValueError:
        pass
    for index, word in enumerate(words):
        if not _is_coordinate(word):
            frame, value = divmod(index, NUM_VALUES)
            raise FormatError(
                f"{place} must hold finite numbers below {1e4 / SCALE:.0f}, but number {value} of "
                f"frame {frame} is {word[:40].decode(errors='replace')!r}."
            )
    raise FormatError(f"{place} must hold numbers, but does not.")


def _is_coordinate(word: bytes) -> bool:
    try:
        return bool(abs(float(word)) < 1e4 / SCALE)
    except ValueError:
        return False


def _line(frames: NDArray[np.float32]) -> str:
    count = len(frames)
    rows = (frames.astype(np.float64) / TO_OURS + 0.0).reshape(count, NUM_COORDINATES)
    # Seven digits hold what single precision does; the field writes its counter to four places.
    return " ".join(
        f"{' '.join(f'{value:.7g}' for value in row)} {frame / count:.4f}"
        for frame, row in enumerate(rows.tolist())
    )
