"""RWTH-BOSTON-104: the tracks of head and hands of 201 sentences, in pixels.

`hands_condensed.csv` has nose and hands a frame, `{train,test}_words.csv` the words with their
first and last frame, `speaker.csv` who signs.

The tracks are two-dimensional and have neither shoulders nor elbows nor fingers. Neck and
shoulders are put under the middle of the nose's track, still, at a shoulder width that is an
option; the hand's track is taken for its wrist. Elbows and fingers are missing, and are guessed
when the corpus is prepared: what a model learns of them says nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Fault, Reading
from signloom.data.readers.splits import hashed_split
from signloom.data.readers.tables import Row, read_table
from signloom.errors import ConfigError, FormatError
from signloom.poses.pose import Pose
from signloom.poses.rest import rest_pose
from signloom.poses.skeleton import (
    HEAD,
    LEFT_HAND,
    LEFT_SHOULDER,
    LEFT_WRIST,
    NECK,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    RIGHT_WRIST,
)

ABOUT = About(
    name="boston104",
    reads="hands_condensed.csv, train_words.csv, test_words.csv and speaker.csv",
    licence="research only (RWTH-BOSTON-104)",
    language="ase",
    spoken_language="en",
    notes=(
        "the tracks hold only head and hands: fingers and elbows are guessed",
        "two-dimensional: the depth of every joint is that of the body",
        "neck and shoulders stand still under the nose, at an assumed shoulder width",
        "the text of a sentence is its glosses; one in ten training texts is for dev",
    ),
)
FPS = 30.0
TRACKS = ("left-x", "left-y", "right-x", "right-y", "nose-x", "nose-y")
HANDS = ((LEFT_WRIST, LEFT_HAND, 0), (RIGHT_WRIST, RIGHT_HAND, 2))
TRAIN_PARTS = (90, 10, 0)
MAX_PX = 10_000

Tracks = dict[str, list[tuple[float, ...]]]


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the tracks cannot say."""

    shoulder_px: float = 80.0
    """Width of the shoulders in pixels; hands that hang are 180 pixels under the nose."""

    def __post_init__(self) -> None:
        if not 10 <= self.shoulder_px <= 1000:
            raise ConfigError(f"`shoulder_px` must be 10 to 1000, but is {self.shoulder_px:g}.")


def read(folder: Path, options: Options) -> Reading:
    """List the sentences of both tables of words.

    Raises:
        FormatError: A table is missing or lacks a column.
    """
    names = ("hands_condensed.csv", "train_words.csv", "test_words.csv", "speaker.csv")
    paths = {name: folder / name for name in names}
    listing = Listing(paths.values())
    hands, faults = read_table(paths["hands_condensed.csv"], ("video", "frame", *TRACKS))
    speakers, more = read_table(paths["speaker.csv"], ("video", "speaker"))
    listing.refuse_all([*faults, *more])
    signers = {fields["video"]: fields["speaker"] for _, fields in speakers}
    tracks, faults = _tracks(hands)
    listing.refuse_all(faults)
    for split in ("train", "test"):
        columns = ("video", "word", "startframe", "endframe")
        rows, faults = read_table(paths[f"{split}_words.csv"], columns)
        listing.refuse_all(faults)
        sentences: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            sentences[row[1]["video"]].append(row)
        for video, words in sentences.items():
            try:
                entry = _entry(video, words, tracks.get(video, []), split=split, options=options)
                listing.add(replace(entry, signer=signers.get(video, "")))
            except FormatError as error:
                listing.refuse(words[0][0], str(error))
    return listing.reading(ABOUT)


def place_tracks(tracks: NDArray[np.float32], *, shoulder_px: float) -> Pose:
    """Make a pose of tracks.

    Args:
        tracks: Left hand, right hand and nose in pixels [frames, 6].
        shoulder_px: Width of the shoulders in pixels.

    Returns:
        Joints in shoulder widths at 30 fps; confidence 0 for those that are not tracked.
    """
    rest = rest_pose()
    frames = np.zeros((len(tracks), 50, 3), dtype=np.float32)
    confidence = np.zeros((len(tracks), 50), dtype=np.float32)
    middle = np.median(tracks[:, 4:], axis=0)
    scaled = (tracks.reshape(-1, 3, 2) - middle) / np.float32(shoulder_px) + rest[HEAD, :2]
    frames[:, HEAD, :2] = scaled[:, 2]
    for joint in (NECK, LEFT_SHOULDER, RIGHT_SHOULDER):
        frames[:, joint] = rest[joint]
    for wrist, hand, column in HANDS:
        frames[:, [wrist, int(hand.start)], :2] = scaled[:, column // 2, None]
    confidence[:, [HEAD, NECK, LEFT_SHOULDER, RIGHT_SHOULDER, LEFT_WRIST, RIGHT_WRIST]] = 1
    confidence[:, [LEFT_HAND.start, RIGHT_HAND.start]] = 1
    return Pose(frames, confidence, FPS)


def _tracks(rows: list[Row]) -> tuple[Tracks, list[Fault]]:
    """Gather the tracks of each video, frame after frame."""
    tracks: Tracks = defaultdict(list)
    faults: list[Fault] = []
    for place, fields in rows:
        video = tracks[fields["video"]]
        try:
            number = int(fields["frame"])
            values = tuple(float(fields[name]) for name in TRACKS)
        except ValueError as error:
            faults.append(Fault(place, f"must hold numbers, but does not: {error}"))
            continue
        if number != len(video):
            message = f"must be frame {len(video)} of video {fields['video']}, but is {number}"
            faults.append(Fault(place, message))
        elif not all(0 <= value <= MAX_PX for value in values):
            faults.append(Fault(place, f"must hold pixels from 0 to {MAX_PX}, but holds {values}"))
        else:
            video.append(values)
    return tracks, faults


def _entry(
    video: str, words: list[Row], track: list[tuple[float, ...]], *, split: str, options: Options
) -> Entry:
    try:
        spans = [(int(row["startframe"]), int(row["endframe"]), row["word"]) for _, row in words]
    except ValueError as error:
        raise FormatError(f"must say frames as whole numbers, but does not: {error}") from error
    spans.sort()
    start, end = spans[0][0], max(last for _, last, _ in spans) + 1
    if not 0 <= start < end <= len(track):
        raise FormatError(
            f"names frames {start} to {end - 1} of video {video}, but {len(track)} are tracked"
        )
    glosses = tuple(word for _, _, word in spans)
    text = " ".join(glosses)
    positions = np.array(track[start:end], dtype=np.float32)
    return Entry(
        name=video,
        split=hashed_split(text, parts=TRAIN_PARTS) if split == "train" else split,
        text=text,
        place=words[0][0],
        load=partial(place_tracks, positions, shoulder_px=options.shoulder_px),
        glosses=glosses,
        spans=tuple((first - start, last + 1 - start) for first, last, _ in spans),
    )
