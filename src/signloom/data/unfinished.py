"""What a preparation that is not finished leaves, so that a later one can go on after it.

A file beside the shards names the plan, a hash of all that goes into the corpus, and the checksum
of each shard that is done. It goes away when the card is written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from signloom.data.prepared import is_prepared, read_card
from signloom.errors import FormatError
from signloom.poses.formats.atomic import replacing

PLAN = "unfinished.json"


def is_finished(folder: Path, plan: str) -> bool:
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
    begun = _read_plan(folder)
    if begun.get("plan") == plan:
        return False
    if begun.get("shards"):
        raise FormatError(
            f"{folder} was begun with other data or options. Give another folder, or remove it."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # A run refused over its first utterances leaves a plan alone: what was wrong may be mended.
        if any(path.name != PLAN or not begun for path in folder.iterdir()):
            raise FormatError(f"{folder} must be new or empty, but holds files.")
    except OSError as error:
        raise FormatError(f"{folder} cannot be made: {error.strerror}.") from error
    note_shards(folder, plan, {})
    return False


def note_shards(folder: Path, plan: str, shards: Mapping[str, str]) -> None:
    """Write down which shards are done, by name and checksum."""
    write_json(folder / PLAN, {"plan": plan, "shards": dict(shards)})


def forget(folder: Path) -> None:
    """Remove what `note_shards` wrote: the corpus is finished."""
    (folder / PLAN).unlink(missing_ok=True)


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


def _read_plan(folder: Path) -> dict[str, Any]:
    if not (folder / PLAN).is_file():
        return {}
    try:
        plan = json.loads((folder / PLAN).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return plan if isinstance(plan, dict) else {}


def finished_shards(folder: Path) -> dict[str, str]:
    """Give the checksums of the shards of a run that was killed, those that are still whole."""
    listed = _read_plan(folder).get("shards")
    return {
        name: checksum
        for name, checksum in (listed.items() if isinstance(listed, dict) else ())
        if (folder / name).is_file() and digest_file(folder / name) == checksum
    }


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a document, which appears whole or not at all."""
    with replacing(path) as temporary:
        text = json.dumps(content, ensure_ascii=False, indent=2)
        # What UTF-8 cannot hold, as a path of other bytes, becomes an escape that JSON knows.
        temporary.write_bytes(f"{text}\n".encode(errors="backslashreplace"))
