"""Clips of single letters: read from a lexicon, put to one scale, trimmed, judged.

A lexicon is a folder with `index.csv` and `.pose` files of MediaPipe Holistic, as the package
`spoken-to-signed` lays it out. What comes out is not yet one signer: `signer` gives all clips one
torso and a place for a hand that was not seen.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.mirror import mirror
from signloom.poses.skeleton import (
    LEFT_HAND,
    LEFT_SHOULDER,
    LEFT_WRIST,
    NECK,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    RIGHT_WRIST,
    UPPER_BODY_50,
)
from signloom.tokens.cleaning import lower

FPS = 25.0
DURATION_S = (0.5, 1.6)
MAX_BONE_VARIATION = 0.3
ARM_DROP = 0.25
"""A wrist this far below its usual height, in shoulder widths, is on its way up or down."""
FAST = 0.06
"""A wrist faster than this, in shoulder widths a frame, is on its way to or from the letter."""
MAX_FAST_PART = 0.3
TURNING = 0.05
"""A hand whose joints move this fast, in shoulder widths a frame, has not settled."""

BODY_POINTS = {
    0: "NOSE",
    LEFT_SHOULDER: "LEFT_SHOULDER",
    3: "LEFT_ELBOW",
    LEFT_WRIST: "LEFT_WRIST",
    RIGHT_SHOULDER: "RIGHT_SHOULDER",
    6: "RIGHT_ELBOW",
    RIGHT_WRIST: "RIGHT_WRIST",
}
HANDS = ((RIGHT_HAND, RIGHT_WRIST, "RIGHT"), (LEFT_HAND, LEFT_WRIST, "LEFT"))


@dataclass(frozen=True, eq=False)
class Clip:
    """One letter, signed once.

    Attributes:
        letter: Lower case.
        path: The file.
        frames: [frames, 50, 3] in shoulder widths, each hand relative to its wrist; 25 fps.
        seen: Whether the right and the left hand were seen.
        duration_s: Before trimming.
        bone_variation: Standard deviation of the length of a bone of the hand over its mean,
            averaged over bones.
    """

    letter: str
    path: Path
    frames: NDArray[np.float64]
    seen: tuple[bool, bool]
    duration_s: float
    bone_variation: float

    def mirrored(self) -> Clip:
        """Show the clip as the other hand would sign it."""
        return replace(self, frames=mirror(self.frames), seen=self.seen[::-1])

    @property
    def fault(self) -> str | None:
        """Why this clip is not to be used, or None."""
        low, high = DURATION_S
        if not low <= self.duration_s <= high:
            return f"lasts {self.duration_s:.2f} s; {low} to {high} s are expected"
        if not any(self.seen):
            return "shows no hand"
        if not self.bone_variation < MAX_BONE_VARIATION:
            return (
                f"bones of the hand vary by {self.bone_variation:.2f}; "
                f"less than {MAX_BONE_VARIATION} is expected"
            )
        return None


@dataclass(frozen=True)
class IndexRow:
    """One line of a lexicon's index."""

    path: Path
    letter: str
    spoken_language: str


def read_index(lexicon: Path, language: str) -> list[IndexRow]:
    """List the clips of a sign language, one a letter: the first with the lowest priority.

    Raises:
        FormatError: The index is missing or incomplete, or has no row of the language.
    """
    index = lexicon / "index.csv"
    try:
        with index.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["signed_language"] == language]
        rows.sort(key=lambda row: int(row.get("priority") or 0))
        entries = [
            IndexRow(
                lexicon / row["path"],
                normalize("NFC", lower(row["words"].strip(), row["spoken_language"])),
                row["spoken_language"],
            )
            for row in rows
        ]
    except OSError as error:
        raise FormatError(
            f"A lexicon must be a folder with an `index.csv`, but {index} cannot be read: "
            f"{error.strerror}."
        ) from error
    except (KeyError, ValueError) as error:
        raise FormatError(f"{index} is not the index of a lexicon: {error!r}.") from error
    if not entries:
        raise FormatError(f"{index} must have rows of the language `{language}`, but has none.")
    return list({entry.letter: entry for entry in reversed(entries)}.values())[::-1]


def read_clip(path: Path, letter: str) -> Clip:
    """Read, normalise and trim one clip.

    Raises:
        FormatError: The file cannot be read or is not MediaPipe Holistic.
    """
    points, confidence, fps = _read_points(path)
    duration_s = len(points) / fps
    seen = tuple(bool((confidence[:, hand].mean(axis=1) > 0).mean() > 0.5) for hand, _, _ in HANDS)
    frames = _normalise(_resample(_fill_gaps(points, confidence), fps))
    frames = frames[trim(frames, seen)]
    variation = max(
        (
            bone_variation(frames, hand)
            for hand, ok in zip((RIGHT_HAND, LEFT_HAND), seen, strict=True)
            if ok
        ),
        default=np.inf,
    )
    return Clip(letter, path, frames, (seen[0], seen[1]), duration_s, float(variation))


def trim(frames: NDArray[np.float64], seen: tuple[bool, ...]) -> slice:
    """Find the part in which the letter is shown.

    At either end, frames whose wrist is low are cut, then those whose wrist is fast, but no more
    than 30 % of the clip, then one frame if the hand still turns in it.
    """
    hand, wrist, _ = HANDS[0] if seen[0] or not seen[1] else HANDS[1]
    path = frames[:, wrist, :2]
    middle = path[len(path) // 3 : len(path) - len(path) // 3, 1]
    up = np.flatnonzero(path[:, 1] < np.median(middle) + ARM_DROP)
    start, end = (int(up[0]), int(up[-1]) + 1) if len(up) else (0, len(path))
    speed = np.linalg.norm(np.diff(path, axis=0), axis=1)
    most = int(MAX_FAST_PART * len(path))
    first, last = start, end
    while start - first < most and start < end - 2 and speed[start] > FAST:
        start += 1
    while last - end < most and start < end - 2 and speed[end - 2] > FAST:
        end -= 1
    turning = (
        np.linalg.norm(np.diff(frames[start:end, hand], axis=0), axis=-1).mean(axis=-1) > TURNING
    )
    if end - start > 4:
        start, end = start + int(turning[0]), end - int(turning[-1])
    return slice(start, end)


def bone_variation(frames: NDArray[np.float64], hand: slice) -> float:
    """Measure how much the bones of a hand change length: std over mean, averaged over bones."""
    bones = np.array(
        [bone for bone in UPPER_BODY_50.bones if bone[0] >= hand.start and bone[1] < hand.stop]
    )
    lengths = np.linalg.norm(frames[:, bones[:, 1]] - frames[:, bones[:, 0]], axis=-1)
    return float((lengths.std(axis=0) / lengths.mean(axis=0)).mean())


def _read_points(path: Path) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Give pixels [frames, 50, 3], with z of the hands in pixels too, confidence and fps."""
    from pose_format import Pose as PoseFile

    try:
        file = PoseFile.read(path.read_bytes())
        components = file.header.components
        names = [(part.name, point) for part in components for point in part.points]
        places = {name: place for place, name in enumerate(names)}
        columns = np.zeros(UPPER_BODY_50.num_joints, dtype=int)
        for joint, point in BODY_POINTS.items():
            columns[joint] = places["POSE_LANDMARKS", point]
        for hand, _, side in HANDS:
            first = places[f"{side}_HAND_LANDMARKS", "WRIST"]
            columns[hand] = np.arange(first, first + 21)
        data = np.asarray(file.body.data.filled(0), dtype=np.float64)[:, 0, columns]
        confidence = np.asarray(file.body.confidence, dtype=np.float64)[:, 0, columns]
        fps, width = float(file.body.fps), float(file.header.dimensions.width)
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    except Exception as error:
        raise FormatError(f"{path} is not a .pose file of MediaPipe: {error!r}.") from error
    if len(data) == 0 or not fps > 0:
        raise FormatError(f"{path} must have frames and a frame rate, but has none.")
    data[..., 2] *= width
    return data, confidence, fps


def _fill_gaps(points: NDArray[np.float64], confidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """Interpolate each point over the frames in which it was not seen."""
    filled = points.copy()
    time = np.arange(len(points))
    for joint in range(points.shape[1]):
        ok = confidence[:, joint] > 0
        if ok.any() and not ok.all():
            for axis in range(3):
                filled[~ok, joint, axis] = np.interp(time[~ok], time[ok], points[ok, joint, axis])
    return filled


def _resample(points: NDArray[np.float64], fps: float) -> NDArray[np.float64]:
    if abs(fps - FPS) < 1e-3:
        return points
    count = max(1, round(len(points) * FPS / fps))
    return sample(points, np.minimum(np.arange(count) * fps / FPS, len(points) - 1))


def sample(frames: NDArray[Any], times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Read frames [frames, ...] at fractional times, linear between neighbours."""
    below = np.minimum(times.astype(int), len(frames) - 1)
    above = np.minimum(below + 1, len(frames) - 1)
    part = (times - below).reshape(-1, *[1] * (frames.ndim - 1))
    between: NDArray[np.float64] = frames[below] * (1 - part) + frames[above] * part
    return between


def _normalise(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Neck to the origin, shoulder width to 1, hands relative to wrists, the body's z to 0."""
    shoulders = points[:, [LEFT_SHOULDER, RIGHT_SHOULDER], :2]
    width = np.median(np.linalg.norm(shoulders[:, 0] - shoulders[:, 1], axis=-1))
    frames = points.copy()
    for hand, _, _ in HANDS:
        frames[:, hand] -= points[:, hand.start : hand.start + 1]
    frames[:, :8, :2] -= shoulders.mean(axis=1, keepdims=True)
    frames[:, :8, 2] = 0
    frames[:, NECK] = 0
    return np.asarray(frames / width)
