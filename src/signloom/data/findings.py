"""Every utterance of a corpus looked at once: what it is, and what is wrong with it.

A fault is something to mend: a recording that does not hold, an id or the same frames twice. A
remark is something to know: a text of training that occurs in dev or test, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.data.corpora.words import SPLITS
from signloom.data.prepared import read_card, shard_path
from signloom.data.readers.reading import Entry, Fault, Place, Reading
from signloom.data.shard_guard import MAX_FRAMES, SHARD_EXAMPLES
from signloom.data.shards import Row, examine_shard
from signloom.errors import FormatError

Advance = Callable[[int], None]


@dataclass(frozen=True)
class Observation:
    """What was seen of one utterance.

    Attributes:
        name: Its id.
        split: `train`, `dev` or `test`.
        text: Its text.
        glosses: Its glosses.
        signer: Who signs.
        place: Where it is listed.
        num_frames: Its length, at `fps`.
        fps: Frames per second.
        missing: Share of joints that were not seen.
        digest: Hash of its frames, or of its pictures if it has no poses.
    """

    name: str
    split: str
    text: str
    glosses: tuple[str, ...]
    signer: str
    place: Place
    num_frames: int
    fps: float
    missing: float
    digest: str


@dataclass
class Findings:
    """What was found in a corpus.

    Attributes:
        about: Name, kind, languages and licence.
        seen: Its utterances that could be read.
        faults: What must be mended.
        remarks: What one must know.
    """

    about: dict[str, Any]
    seen: list[Observation] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    remarks: list[Fault] = field(default_factory=list)


def look_at_reading(reading: Reading, *, advance: Advance = lambda _: None) -> Findings:
    """Read every recording of a corpus that is not yet prepared."""
    about = reading.about
    findings = Findings(
        {
            "name": about.name,
            "kind": about.kind,
            "language": about.language,
            "spoken_language": about.spoken_language,
            "licence": about.licence,
        },
        faults=list(reading.faults),
    )
    for entry in reading.entries:
        try:
            seen = _observe_entry(entry)
        except FormatError as error:
            message = str(error).removeprefix(f"{entry.place} ").rstrip(".")
            findings.faults.append(Fault(entry.place, message))
        else:
            findings.seen.append(seen)
        advance(1)
    if not reading.entries and not reading.faults:
        message = "must list at least one utterance, but lists none"
        findings.faults += [Fault(Place(path), message) for path in reading.files[:1]]
    _compare(findings)
    return findings


def look_at_prepared(folder: Path, *, advance: Advance = lambda _: None) -> Findings:
    """Read every shard of a prepared corpus and compare it with the card.

    Raises:
        FormatError: The card cannot be read.
        MissingExtraError: pyarrow is not installed.
    """
    card = read_card(folder)
    keys = ("name", "kind", "language", "spoken_language", "licence")
    findings = Findings({key: card[key] for key in keys})
    expected = list(_expected_shards(folder, card))
    for path in sorted(set(folder.glob("*.parquet")) - {path for _, path, _ in expected}):
        findings.faults.append(Fault(Place(path), "must be a shard of the card, but is not"))
    for split, path, count in expected:
        place, rows = Place(path), 0
        try:
            for row in examine_shard(path, checksum=str(card["shards"].get(path.name))):
                rows += 1
                if isinstance(row, FormatError):
                    raise row
                findings.seen.append(_observe_row(row, split, place=place))
        except FormatError as error:
            message = str(error).removeprefix(f"{path}").lstrip(": ").rstrip(".")
            findings.faults.append(Fault(place, message))
        else:
            if rows != count:
                message = f"must have {count} utterances as the card says, but has {rows}"
                findings.faults.append(Fault(place, message))
        advance(count)
    _compare(findings)
    return findings


def _expected_shards(folder: Path, card: dict[str, Any]) -> Iterator[tuple[str, Path, int]]:
    for split in SPLITS:
        total = card["splits"].get(split, {}).get("utterances", 0)
        for number, start in enumerate(range(0, total, SHARD_EXAMPLES)):
            path = shard_path(folder, split, number)
            yield split, path, min(SHARD_EXAMPLES, total - start)


def _observe_entry(entry: Entry) -> Observation:
    pose = entry.load()
    pictures = None if entry.pictures is None else entry.pictures()
    if pictures is not None and len(pictures) != pose.num_frames:
        raise FormatError(
            f"{entry.name!r} must have a picture a frame, but has {len(pictures)} pictures and "
            f"{pose.num_frames} frames"
        )
    # Where nobody has looked for joints, frames of one length are all the same.
    told_by = pose.frames if pictures is None or entry.has_poses else pictures
    return Observation(
        name=entry.name,
        split=entry.split,
        text=entry.text,
        glosses=entry.glosses,
        signer=entry.signer,
        place=entry.place,
        num_frames=pose.num_frames,
        fps=pose.fps,
        missing=float((pose.confidence <= 0).mean()),
        digest=_digest(told_by),
    )


def _observe_row(row: Row, split: str, *, place: Place) -> Observation:
    example = row.example
    return Observation(
        name=example.name,
        split=split,
        text=example.text,
        glosses=example.glosses,
        signer=example.signer,
        place=place,
        num_frames=example.num_frames,
        fps=example.fps,
        missing=row.missing,
        digest=_digest(example.frames),
    )


def _digest(frames: NDArray[Any]) -> str:
    return hashlib.sha256(np.ascontiguousarray(frames).tobytes()).hexdigest()


def _compare(findings: Findings) -> None:
    """Add what only shows between utterances: repeated ids, frames and texts."""
    names: dict[str, Observation] = {}
    frames: dict[str, Observation] = {}
    train_texts = {seen.text: seen for seen in reversed(findings.seen) if seen.split == "train"}
    for seen in findings.seen:
        name = names.setdefault(seen.name, seen)
        if name is not seen:
            findings.faults.append(
                Fault(seen.place, f"repeats the id {seen.name!r} of {name.place}")
            )
        same = frames.setdefault(seen.digest, seen)
        if same is not seen:
            across = f", across {same.split} and {seen.split}" if same.split != seen.split else ""
            message = f"{seen.name!r} has the same frames as {same.name!r} of {same.place}{across}"
            findings.faults.append(Fault(seen.place, message))
        if seen.num_frames > MAX_FRAMES * seen.fps / 25:
            message = (
                f"{seen.name!r} has {seen.num_frames} frames; {MAX_FRAMES} at 25 fps are the most"
            )
            findings.faults.append(Fault(seen.place, message))
        if seen.split != "train" and seen.text in train_texts:
            first = train_texts[seen.text]
            message = f"{seen.name!r} of {seen.split} has the text of {first.name!r} of train"
            findings.remarks.append(Fault(seen.place, message))
