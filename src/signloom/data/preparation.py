"""From a corpus as its reader lists it to a prepared corpus: 25 fps, no gaps, shards and a card.

Shards are written one after the other, each whole or not at all, and the card last. A run that was
killed goes on after its last shard; it is refused when anything that goes into the corpus has
changed since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from signloom.data.completion import complete, missing_share
from signloom.data.corpora.words import SPLITS
from signloom.data.example import Example
from signloom.data.prepared import CARD, FORMAT, is_prepared, read_card, shard_path
from signloom.data.readers.reading import Entry, Reading
from signloom.data.shards import (
    MAX_FRAMES,
    SHARD_EXAMPLES,
    Row,
    read_facts,
    write_shard,
)
from signloom.errors import FormatError
from signloom.poses.formats.atomic import replacing
from signloom.poses.retime import resample

FPS = 25.0
PLAN = "unfinished.json"


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
    _refuse_faults(reading, source)
    inputs = digest_files(reading.files)
    plan = _plan_digest(reading, inputs["sha256"], options)
    if _is_finished(folder, plan):
        return Preparation(read_card(folder), 0, len(read_card(folder)["shards"]))
    before = _finished_shards(folder)
    shards: dict[str, str] = {}
    for split, number, entries in _shards_of(reading.entries):
        path = shard_path(folder, split, number)
        if path.name in before:
            shards[path.name] = before[path.name]
        else:
            shards[path.name] = write_shard(path, [to_row(entry) for entry in entries])
            _write_json(folder / PLAN, {"plan": plan, "shards": before | shards})
        advance(len(entries))
    splits = _count(folder, shards)
    card = _card(reading, source, options) | {
        "splits": splits,
        "shards": shards,
        "plan": plan,
        "inputs": inputs,
    }
    _write_json(folder / CARD, card)
    (folder / PLAN).unlink(missing_ok=True)
    kept = len(before.keys() & shards.keys())
    return Preparation(card, len(shards) - kept, kept)


def to_row(entry: Entry) -> Row:
    """Read the pose of an entry, fill its gaps and resample it to 25 fps.

    Raises:
        FormatError: It does not hold; the message says which file and line.
    """
    try:
        pose = entry.load()
        count = round(pose.num_frames * FPS / pose.fps)
        if count > MAX_FRAMES:
            raise FormatError(
                f"an utterance must have at most {MAX_FRAMES} frames at {FPS:g} fps, "
                f"but has {count}; cut it into sentences"
            )
        missing = missing_share(pose)
        frames = resample(complete(pose), FPS).frames
    except FormatError as error:
        message = str(error).removeprefix(f"{entry.place} ")
        raise FormatError(f"{entry.place}: {message}") from error
    example = Example(
        entry.name,
        entry.text,
        tokens=(),
        frames=frames,
        spans=(),
        fps=FPS,
        glosses=entry.glosses,
        signer=entry.signer,
    )
    return Row(example, missing)


def digest_file(path: Path) -> str:
    """Give the SHA-256 of a file's contents.

    Raises:
        FormatError: It cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error


def digest_files(files: Sequence[Path]) -> dict[str, Any]:
    """Give number, bytes and a SHA-256 over those of the files, in their order.

    Raises:
        FormatError: One cannot be read.
    """
    digest = hashlib.sha256()
    for path in files:
        digest.update(digest_file(path).encode())
    total = sum(path.stat().st_size for path in files)
    return {"files": len(files), "bytes": total, "sha256": digest.hexdigest()}


def _refuse_faults(reading: Reading, source: Path) -> None:
    if reading.faults:
        count = len(reading.faults)
        more = (
            f" There are {count - 1} more: `signloom data validate` lists them."
            if count > 1
            else ""
        )
        raise FormatError(f"{reading.faults[0]}.{more}")
    if not reading.entries:
        raise FormatError(f"{source} must hold at least one utterance, but holds none.")


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


def _is_finished(folder: Path, plan: str) -> bool:
    """Say whether the corpus is there already; make its folder if it is not begun.

    Raises:
        FormatError: The folder holds something else.
    """
    if is_prepared(folder):
        if read_card(folder).get("plan") == plan:
            return True
        raise FormatError(
            f"{folder} holds a prepared corpus of other data or options. Give another folder, "
            "or remove it."
        )
    if (folder / PLAN).is_file():
        if _read_plan(folder).get("plan") == plan:
            return False
        raise FormatError(
            f"{folder} was begun with other data or options. Give another folder, or remove it."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise FormatError(f"{folder} must be new or empty, but holds files.")
    except OSError as error:
        raise FormatError(f"{folder} cannot be made: {error.strerror}.") from error
    _write_json(folder / PLAN, {"plan": plan, "shards": {}})
    return False


def _read_plan(folder: Path) -> dict[str, Any]:
    try:
        plan = json.loads((folder / PLAN).read_bytes())
    except (OSError, ValueError):
        return {}
    return plan if isinstance(plan, dict) else {}


def _finished_shards(folder: Path) -> dict[str, str]:
    """Give the checksums of the shards of a run that was killed, those that are still whole."""
    listed = _read_plan(folder).get("shards")
    return {
        name: checksum
        for name, checksum in (listed.items() if isinstance(listed, dict) else ())
        if (folder / name).is_file() and digest_file(folder / name) == checksum
    }


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


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    with replacing(path) as temporary:
        text = json.dumps(content, ensure_ascii=False, indent=2)
        temporary.write_text(f"{text}\n", encoding="utf-8")
