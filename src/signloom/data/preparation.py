"""From a corpus as its reader lists it to a prepared corpus: 25 fps, no gaps, shards and a card.

Shards are written one after the other, each whole or not at all, and the card last. A run that was
killed goes on after its last shard; it is refused when anything that goes into the corpus has
changed since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.words import SPLITS
from signloom.data.example import Example, Span
from signloom.data.prepared import CARD, FORMAT, read_card, shard_path
from signloom.data.readers.reading import Entry, Reading, refuse_faults
from signloom.data.shard_guard import MAX_FRAMES, SHARD_EXAMPLES
from signloom.data.shards import Row, read_facts, write_shard
from signloom.data.unfinished import (
    digest_files,
    finished_shards,
    forget,
    is_finished,
    note_shards,
    write_json,
)
from signloom.errors import FormatError
from signloom.poses.completion import complete, missing_share
from signloom.poses.retime import resample

FPS = 25.0


@dataclass(frozen=True)
class Preparation:
    """What has come of it.

    Attributes:
        card: The card of the corpus.
        written: Shards written by this run.
        kept: Shards that were there already.
    """

    card: Mapping[str, Any]
    written: int
    kept: int


def prepare(
    reading: Reading,
    folder: Path,
    *,
    source: Path,
    options: Mapping[str, Any],
    advance: Callable[[int], None] = lambda _: None,
) -> Preparation:
    """Write a prepared corpus, or finish one.

    Args:
        reading: What the reader found.
        folder: Where the corpus goes: new, empty, or left by a run of the same that was killed.
        source: Where the data is, for the card.
        options: The reader's options, for the card.
        advance: Told how many more utterances are done.

    Raises:
        FormatError: The reading has faults or no utterance, a recording does not hold, or the
            folder holds something else.
        MissingExtraError: pyarrow is not installed.
    """
    refuse_faults(reading, source)
    _refuse_unseen(reading)
    inputs = digest_files(reading.files)
    plan = _plan_digest(reading, inputs["sha256"], options)
    if is_finished(folder, plan):
        return Preparation(read_card(folder), 0, len(read_card(folder)["shards"]))
    before = finished_shards(folder)
    shards: dict[str, str] = {}
    for split, number, entries in _shards_of(reading.entries):
        path = shard_path(folder, split, number)
        if path.name in before:
            shards[path.name] = before[path.name]
        else:
            shards[path.name] = write_shard(path, [to_row(entry) for entry in entries])
            note_shards(folder, plan, before | shards)
        advance(len(entries))
    splits = _count(folder, shards)
    card = _card(reading, source, options) | {
        "splits": splits,
        "shards": shards,
        "plan": plan,
        "inputs": inputs,
    }
    write_json(folder / CARD, card)
    forget(folder)
    kept = len(before.keys() & shards.keys())
    return Preparation(card, len(shards) - kept, kept)


def to_row(entry: Entry) -> Row:
    """Read the pose of an entry, fill its gaps and resample it to 25 fps.

    Raises:
        FormatError: It does not hold; the message says which file and line.
    """
    example, missing = _read(entry)
    return Row(replace(example, spans=(), confidence=None, pictures=None), missing)


def to_example(entry: Entry) -> Example:
    """Read an entry as `to_row` does, but keep what was seen, when, and its film.

    Raises:
        FormatError: As `to_row`.
    """
    return _read(entry)[0]


def _read(entry: Entry) -> tuple[Example, float]:
    """Give an utterance at 25 fps, and the share of its joints that the recording lacks."""
    try:
        pose = entry.load()
        count = round(pose.num_frames * FPS / pose.fps)
        if count > MAX_FRAMES:
            raise FormatError(
                f"an utterance must have at most {MAX_FRAMES} frames at {FPS:g} fps, "
                f"but has {count}; cut it into sentences"
            )
        frames = resample(complete(pose), FPS).frames
    except FormatError as error:
        message = str(error).removeprefix(f"{entry.place} ")
        raise FormatError(f"{entry.place}: {message}") from error
    rate = FPS / pose.fps
    example = Example(
        entry.name,
        entry.text,
        tokens=(),
        frames=frames,
        spans=tuple(Span(round(start * rate), round(end * rate)) for start, end in entry.spans),
        fps=FPS,
        glosses=entry.glosses,
        signer=entry.signer,
        confidence=resample(pose, FPS).confidence,
        pictures=entry.pictures and partial(_film, entry.pictures, len(frames)),
    )
    return example, missing_share(pose)


def _film(read: Callable[[], NDArray[np.uint8]], count: int) -> NDArray[np.uint8]:
    """Show a film in `count` frames: the nearest, for pictures do not mix."""
    film = read()
    places = np.minimum((np.arange(count) * len(film) / count).round(), len(film) - 1)
    return film if count == len(film) else film[places.astype(np.int64)]


def _refuse_unseen(reading: Reading) -> None:
    """Refuse films in which nobody has looked for joints: shards would hold nothing of them."""
    without = [entry for entry in reading.entries if not entry.has_poses]
    if without:
        raise FormatError(
            f"{without[0].place} must have poses, but {len(without)} of {len(reading.entries)} "
            "films have none, and pictures are not copied into shards. Extract the poses and name "
            "their folder with --set poses=FOLDER, or learn from the films where they are."
        )


def _shards_of(entries: Sequence[Entry]) -> list[tuple[str, int, list[Entry]]]:
    """Give split, number and entries of each shard."""
    members = {split: [entry for entry in entries if entry.split == split] for split in SPLITS}
    return [
        (split, start // SHARD_EXAMPLES, listed[start : start + SHARD_EXAMPLES])
        for split, listed in members.items()
        for start in range(0, len(listed), SHARD_EXAMPLES)
    ]


def _plan_digest(reading: Reading, inputs: str, options: Mapping[str, Any]) -> str:
    listed = [
        (entry.name, entry.split, entry.text, entry.glosses, entry.signer)
        for entry in reading.entries
    ]
    plan = [FORMAT, SHARD_EXAMPLES, asdict(reading.about), dict(options), inputs, listed]
    return hashlib.sha256(json.dumps(plan).encode()).hexdigest()


def _count(folder: Path, shards: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Count utterances, frames and missing joints of each split."""
    splits: dict[str, dict[str, Any]] = {}
    for name, checksum in shards.items():
        counts = splits.setdefault(
            name.split("-")[0], {"utterances": 0, "frames": 0, "missing_joints": 0.0}
        )
        for fact in read_facts(folder / name, checksum=checksum):
            counts["utterances"] += 1
            counts["frames"] += fact["num_frames"]
            counts["missing_joints"] += fact["missing"] * fact["num_frames"]
    for counts in splits.values():
        counts["missing_joints"] = round(counts["missing_joints"] / counts["frames"], 6)
    return splits


def _card(reading: Reading, source: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    about = asdict(reading.about)
    facts = {"fps": FPS, "source": str(source), "options": dict(options)}
    return {"format": FORMAT, **about, "notes": list(about["notes"]), **facts}
