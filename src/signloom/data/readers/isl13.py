"""Thirteen signs of Indian Sign Language, thirty takes each, joined to sentences.

`isl13.npz` has `x` [clips, frames, 258] in the layout of MediaPipe Holistic without the face (33
points of the body with visibility, then 21 of the left and of the right hand; parts of the
picture's width and height), `gloss` and `seq`, the number of the take. A sentence is 3 to 6 signs
drawn at random, no sentence twice. The takes of train, dev and test are disjoint.

Neighbouring takes are much alike, and of several signs the last ones are signed in another way, or
with the other hand. `takes=last` tests on these, `takes=spread` on takes dealt out at random.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.data.readers.joining import join
from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Place, Reading
from signloom.errors import ConfigError, FormatError
from signloom.poses.formats.mediapipe import BODY
from signloom.poses.placement import place
from signloom.poses.pose import Pose
from signloom.poses.skeleton import LEFT_HAND, RIGHT_HAND

ABOUT = About(
    name="isl13",
    reads="isl13.npz with arrays x [clips, frames, 258], gloss and seq",
    licence="none stated",
    language="ins",
    spoken_language="en",
    notes=(
        "sentences are isolated signs joined by computed transitions; nobody signed them",
        "the frame rate and the shape of the picture are not stated and were assumed",
    ),
)
FILE = "isl13.npz"
NUM_VALUES = 33 * 4 + 2 * 21 * 3
MAX_BYTES = 512 * 2**20
SIGNS = (3, 6)
TAKES = {"train": (0.0, 0.75), "dev": (0.75, 0.875), "test": (0.875, 1.0)}
"""Which part of the takes of a sign each split draws from."""
ORDERS = ("last", "spread")

Clips = dict[str, list[NDArray[np.float32]]]


@dataclass(frozen=True, kw_only=True)
class Options:
    """How many sentences, and what the file does not say."""

    train: int = 400
    """Sentences for training."""
    dev: int = 40
    """Sentences for validation."""
    test: int = 40
    """Sentences for testing."""
    seed: int = 0
    """Fixes the sentences."""
    transition_frames: int = 6
    """Frames between two signs."""
    fps: float = 25.0
    """Frames per second of the clips."""
    aspect: float = 4 / 3
    """Width of the picture over its height."""
    takes: str = "last"
    """Which takes are held out: the `last` of each sign, or takes `spread` over the recording."""

    def __post_init__(self) -> None:
        if self.takes not in ORDERS:
            raise ConfigError(f"`takes` must be {' or '.join(ORDERS)}, but is {self.takes[:40]!r}.")
        ranges = {"seed": (0, 2**31), "fps": (1, 240), "aspect": (0.2, 5)}
        ranges |= {"transition_frames": (0, 100), "train": (0, 100_000)}
        ranges |= {"dev": (0, 100_000), "test": (0, 100_000)}
        for field in fields(self):
            if field.name not in ranges:
                continue
            low, high = ranges[field.name]
            value = getattr(self, field.name)
            if not low <= value <= high:
                raise ConfigError(f"`{field.name}` must be {low:g} to {high:g}, but is {value:g}.")


def read(folder: Path, options: Options) -> Reading:
    """Draw the sentences.

    Raises:
        FormatError: The file does not hold, or has too few takes to share out.
        ConfigError: There are not so many sentences.
    """
    path = folder / FILE
    clips = _read_clips(path)
    if options.takes == "spread":
        clips = {
            gloss: [rows[place] for place in np.random.default_rng(number).permutation(len(rows))]
            for number, (gloss, rows) in enumerate(sorted(clips.items()))
        }
    rng = np.random.default_rng(options.seed)
    listing = Listing([path])
    drawn: set[tuple[str, ...]] = set()
    for split, (start, end) in TAKES.items():
        takes = {
            gloss: rows[round(start * len(rows)) : round(end * len(rows))]
            for gloss, rows in clips.items()
        }
        for number in range(getattr(options, split)):
            glosses = _draw(rng, sorted(takes), drawn)
            chosen = [takes[gloss][int(rng.integers(len(takes[gloss])))] for gloss in glosses]
            entry = Entry(
                name=f"{split}-{number:05d}",
                split=split,
                text=" ".join(glosses),
                place=Place(path),
                load=partial(_join, chosen, options),
                glosses=glosses,
                spans=_spans(chosen, options),
            )
            listing.add(entry)
    return listing.reading(ABOUT)


def to_pose(values: NDArray[np.float32], *, fps: float, aspect: float) -> Pose:
    """Make a pose of one clip.

    Args:
        values: [frames, 258]; a hand that was not seen is zeros.
        fps: Frames per second.
        aspect: Width of the picture over its height.

    Raises:
        FormatError: The shoulders are never seen together.
    """
    frames = np.zeros((len(values), 50, 3), dtype=np.float32)
    confidence = np.zeros((len(values), 50), dtype=np.float32)
    body = values[:, : 33 * 4].reshape(-1, 33, 4)
    for name, joint in BODY.joints.items():
        point = BODY.points.index(name)
        frames[:, joint, :2] = body[:, point, :2]
        confidence[:, joint] = np.clip(body[:, point, 3], 0, 1)
    for hand, start in ((LEFT_HAND, 33 * 4), (RIGHT_HAND, 33 * 4 + 63)):
        points = values[:, start : start + 63].reshape(-1, 21, 3)
        frames[:, hand] = points
        frames[:, hand, 2] -= points[:, :1, 2]
        confidence[:, hand] = (points != 0).any(axis=(1, 2))[:, None]
    # Depth, like x, is in widths of the picture.
    frames *= np.array([aspect, 1, aspect], dtype=np.float32)
    return Pose(*place(frames, confidence), fps)


def _join(clips: list[NDArray[np.float32]], options: Options) -> Pose:
    poses = [to_pose(clip, fps=options.fps, aspect=options.aspect) for clip in clips]
    return join(poses, transition_frames=options.transition_frames)


def _spans(clips: list[NDArray[np.float32]], options: Options) -> tuple[tuple[int, int], ...]:
    """Say when each sign is signed."""
    lengths = [len(clip) for clip in clips]
    starts = [
        sum(lengths[:place]) + place * options.transition_frames for place in range(len(lengths))
    ]
    return tuple((start, start + length) for start, length in zip(starts, lengths, strict=True))


def _draw(
    rng: np.random.Generator, glosses: list[str], drawn: set[tuple[str, ...]]
) -> tuple[str, ...]:
    """Draw a sentence that has not been drawn before."""
    for _ in range(100):
        count = int(rng.integers(SIGNS[0], SIGNS[1] + 1))
        sentence = tuple(glosses[int(place)] for place in rng.integers(len(glosses), size=count))
        if sentence not in drawn:
            drawn.add(sentence)
            return sentence
    raise ConfigError(f"{len(glosses)} signs do not make so many sentences. Ask for fewer.")


def _read_clips(path: Path) -> Clips:
    """Give the takes of each gloss, in their order."""
    values, glosses, takes = _load(path)
    if values.ndim != 3 or values.shape[2] != NUM_VALUES or not values.shape[1]:
        raise FormatError(
            f"{path} must have `x` of shape [clips, frames, {NUM_VALUES}], but it has "
            f"{list(values.shape)}."
        )
    if glosses.shape != takes.shape or glosses.shape != values.shape[:1]:
        raise FormatError(f"{path} must have one `gloss` and one `seq` for each clip of `x`.")
    unsound = ~np.isfinite(values).all(axis=(1, 2))
    if unsound.any():
        raise FormatError(
            f"{path} must hold finite numbers, but clip {int(np.argmax(unsound))} does not."
        )
    clips: Clips = {}
    for number in np.argsort(takes, kind="stable"):
        clips.setdefault(str(glosses[number]), []).append(values[number])
    fewest = min(clips, key=lambda gloss: len(clips[gloss]), default="")
    if not clips or len(clips[fewest]) < 8:
        raise FormatError(
            f"{path} must have 8 takes of each gloss or more, but {fewest!r} has not."
        )
    return clips


def _load(path: Path) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[np.int64]]:
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > MAX_BYTES:
            raise FormatError(f"{path} must hold at most {MAX_BYTES} bytes, but says {size}.")
        with np.load(path, allow_pickle=False) as arrays:
            values = np.asarray(arrays["x"], dtype=np.float32)
            return values, arrays["gloss"].astype(np.str_), arrays["seq"].astype(np.int64)
    except FormatError:
        raise
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror or error}.") from error
    except Exception as error:  # archives and headers fail in more ways than are worth naming
        raise FormatError(
            f"{path} must hold arrays x, gloss and seq: {str(error)[:200]}."
        ) from error
