"""Manifests of JSON lines: an object for each utterance.

`train.jsonl`, `dev.jsonl` and `test.jsonl`, or one file of all. An object has the path of the
recording (`audio`) and what is said (`text`), and perhaps `id`, `speaker`, `split`, `duration` and
`offset` in seconds. A path is whole, or seen from the folder. NVIDIA's manifests are read with
`--set audio=audio_filepath`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from signloom.data.readers.reading import About, Place
from signloom.data.readers.splits import known_split
from signloom.data.readers.tables import read_lines
from signloom.data.speech.readers.lists import find_lists
from signloom.data.speech.readers.reading import (
    ListOptions,
    SpeechListing,
    SpeechReading,
    SpokenEntry,
)
from signloom.data.speech.readers.recordings import find_listed, seconds
from signloom.errors import FormatError

ABOUT = About(
    name="jsonl",
    reads="train.jsonl, dev.jsonl and test.jsonl, or one of all: objects with audio and text",
    licence="none stated",
    language="und",
    spoken_language="und",
    kind="speech",
)
SUFFIXES = (".jsonl", ".json")


@dataclass(frozen=True, kw_only=True)
class Options(ListOptions):
    """What the objects call things; splits are drawn where they name none."""

    table: str = ""
    """Name of the file in the folder; by default those of the splits, or the only one there."""
    audio: str = "audio"
    """Key of the path of the recording."""
    text: str = "text"
    """Key of what is said."""


def read(folder: Path, options: Options) -> SpeechReading:
    """List the objects of the files.

    Raises:
        FormatError: There is none, or one cannot be read.
    """
    listing = SpeechListing()
    for path, split in find_lists(folder, options.table, suffixes=SUFFIXES):
        listing.read_from(path)
        for number, line in enumerate(read_lines(path), 1):
            place = Place(path, number)
            try:
                listing.add(_entry(folder, line, place, split=split, options=options))
            except FormatError as error:
                listing.refuse(place, str(error))
    return listing.reading(options.tell(ABOUT, folder), options)


def _entry(folder: Path, line: str, place: Place, *, split: str, options: Options) -> SpokenEntry:
    found = _object(line)
    audio = _written(found, options.audio)
    if not audio:
        raise FormatError(
            f"must have the path of a recording under `{options.audio}`, but has none"
        )
    offset, duration = (
        None if found.get(key) is None else seconds(found[key]) for key in ("offset", "duration")
    )
    named = _written(found, "split")
    return SpokenEntry(
        name=_written(found, "id") or audio,
        split=known_split(named) if named else split,
        text=_written(found, options.text).strip(),
        place=place,
        path=find_listed(audio, folders=[folder]),
        speaker=_written(found, "speaker"),
        start_s=offset or 0.0,
        # Without an offset the whole recording is meant, however long the list says that it is.
        end_s=None if offset is None or duration is None else offset + duration,
        duration_s=duration,
    )


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"must be an object of JSON, but is not: {error}") from None
    if not isinstance(found, dict):
        raise FormatError(f"must be an object of JSON, but is a {type(found).__name__}")
    return found


def _written(found: dict[str, Any], key: str) -> str:
    """Give what an object has under a key as text; of a missing key nothing."""
    value = found.get(key)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise FormatError(f"must have a text under `{key}`, but has {str(value)[:40]!r}")
    return str(value)
