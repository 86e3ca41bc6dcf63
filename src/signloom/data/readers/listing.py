"""Entries and faults gathered row by row; an id that occurs again is a fault."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Generic, Protocol, TypeVar, runtime_checkable

from signloom.data.readers.reading import About, Entry, Fault, Place, Reading
from signloom.data.shard_guard import text_problem


@runtime_checkable
class Listed(Protocol):
    """What any entry of a corpus has."""

    @property
    def name(self) -> str:
        """Its id, once in the corpus."""

    @property
    def text(self) -> str:
        """What is signed or said."""

    @property
    def place(self) -> Place:
        """Where it is listed."""

    @property
    def written(self) -> tuple[str, ...]:
        """All that is written of it."""


E = TypeVar("E", bound=Listed)


class Gathering(Generic[E]):
    """What has been found of a corpus so far."""

    def __init__(self, files: Iterable[Path] = (), faults: Iterable[Fault] = ()) -> None:
        self._entries: dict[str, E] = {}
        self._faults = list(faults)
        self._files = list(files)

    def add(self, entry: E, *, file: Path | None = None) -> None:
        """Add an entry; a fault in its place if its id is there already or no shard can hold it.

        Args:
            entry: The utterance.
            file: The recording that it will read.
        """
        first = self._entries.get(entry.name)
        problem = text_problem(*entry.written)
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

    @property
    def entries(self) -> tuple[E, ...]:
        """The entries that hold, in their order."""
        return tuple(self._entries.values())

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What does not hold."""
        return tuple(self._faults)

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that was or will be read."""
        return tuple(dict.fromkeys(self._files))


class Listing(Gathering[Entry]):
    """What has been found of a corpus of signing so far."""

    def reading(self, about: About) -> Reading:
        """Give what has been found."""
        return Reading(about, self.entries, self.faults, self.files)
