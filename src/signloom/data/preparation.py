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
    count_rows,
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
    written = kept = 0
    paths: list[Path] = []
    for split, number, entries in _shards_of(reading.entries):
        path = shard_path(folder, split, number)
        if path.is_file() and count_rows(path) == len(entries):
            kept += 1
        else:
            write_shard(path, [to_row(entry) for entry in entries])
            written += 1
        paths.append(path)
        advance(len(entries))
    card = _card(reading, paths, source=source, options=options) | {"plan": plan, "inputs": inputs}
    _write_json(folder / CARD, card)
    (folder / PLAN).unlink(missing_ok=True)
    return Preparation(card, written, kept)


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
        raise FormatError(f"{entry.place}: {error}") from error
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


def digest_files(files: Sequence[Path]) -> dict[str, Any]:
    """Give number, bytes and a SHA-256 over the contents of files, in their order.

    Raises:
        FormatError: One cannot be read.
    """
    total, digest = 0, hashlib.sha256()
    for path in files:
        try:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
                total += file.tell()
        except OSError as error:
            raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
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
        if _read_plan(folder / PLAN) == plan:
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
    _write_json(folder / PLAN, {"plan": plan})
    return False


def _read_plan(path: Path) -> str | None:
    try:
        return str(json.loads(path.read_bytes())["plan"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _card(
    reading: Reading, paths: Sequence[Path], *, source: Path, options: Mapping[str, Any]
) -> dict[str, Any]:
    splits: dict[str, dict[str, Any]] = {}
    for path in paths:
        split = path.name.split("-")[0]
        counts = splits.setdefault(split, {"utterances": 0, "frames": 0, "missing_joints": 0.0})
        for fact in read_facts(path):
            counts["utterances"] += 1
            counts["frames"] += fact["num_frames"]
            counts["missing_joints"] += fact["missing"] * fact["num_frames"]
    for counts in splits.values():
        counts["missing_joints"] = round(counts["missing_joints"] / counts["frames"], 6)
    return {
        "format": FORMAT,
        **{key: value for key, value in asdict(reading.about).items() if key != "notes"},
        "notes": list(reading.about.notes),
        "fps": FPS,
        "source": str(source),
        "options": dict(options),
        "splits": splits,
        "shards": {path.name: digest_files([path])["sha256"] for path in paths},
    }


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    with replacing(path) as temporary:
        text = json.dumps(content, ensure_ascii=False, indent=2)
        temporary.write_text(f"{text}\n", encoding="utf-8")
