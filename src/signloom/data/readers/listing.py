"""Entries and faults gathered row by row; an id that occurs again is a fault."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from signloom.data.readers.reading import About, Entry, Fault, Place, Reading
from signloom.data.shard_guard import text_problem


class Listing:
    """What has been found of a corpus so far."""

    def __init__(self, files: Iterable[Path] = (), faults: Iterable[Fault] = ()) -> None:
        self._entries: dict[str, Entry] = {}
        self._faults = list(faults)
        self._files = list(files)

    def add(self, entry: Entry, *, file: Path | None = None) -> None:
        """Add an entry; a fault in its place if its id is there already or no shard can hold it.

        Args:
            entry: The utterance.
            file: The recording that it will read.
        """
        first = self._entries.get(entry.name)
        texts = (entry.name, entry.text, entry.signer, " ".join(entry.glosses))
        problem = text_problem(*texts)
        if problem is not None:
            self.refuse(entry.place, problem)
        elif not entry.name:
            self.refuse(entry.place, "must have an id, but that is empty")
        elif first is not None:
            self.refuse(entry.place, f"repeats the id {entry.name!r} of {first.place}")
        elif not entry.text:
            self.refuse(entry.place, f"must have a text, but that of {entry.name!r} is empty")
        else:
            self._entries[entry.name] = entry
            self._files += [file] if file is not None else []

    def read_from(self, *files: Path) -> None:
        """Add files that were or will be read."""
        self._files += files

    def refuse(self, place: Place, message: str) -> None:
        """Add a fault."""
        self._faults.append(Fault(place, message))

    def refuse_all(self, faults: Iterable[Fault]) -> None:
        """Add faults that a table has."""
        self._faults += faults

    def reading(self, about: About) -> Reading:
        """Give what has been found."""
        files = tuple(dict.fromkeys(self._files))
        return Reading(about, tuple(self._entries.values()), tuple(self._faults), files)
