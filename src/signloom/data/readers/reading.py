"""What a reader gives: utterances whose poses are read when asked for, and the faults it met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.pose import Pose


@dataclass(frozen=True)
class About:
    """What a corpus is.

    Attributes:
        name: What the command line calls the reader.
        reads: The files it reads, in one sentence.
        licence: The licence of the data, or that none is stated.
        language: ISO 639-3 code of the sign language; `und` if the reader cannot know, and of
            speech.
        spoken_language: ISO 639-1 code of the texts; `und` if the reader cannot know.
        kind: `signing`, `fingerspelling`, `speech` or `captions`.
        notes: What the data lacks and what was assumed in its place.
    """

    name: str
    reads: str
    licence: str
    language: str
    spoken_language: str
    kind: str = "signing"
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """A file, and a line of it counted from 1; line 0 is the whole file."""

    path: Path
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path} line {self.line}" if self.line else str(self.path)


@dataclass(frozen=True)
class Fault:
    """Something that does not hold.

    Attributes:
        place: Where.
        message: What must hold, what was found and what to do.
    """

    place: Place
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, eq=False)
class Entry:
    """One utterance of a corpus, its pose not yet read.

    Attributes:
        name: Its id, once in the corpus.
        split: `train`, `dev` or `test`.
        text: The text that is signed.
        place: Where it is listed, for messages.
        load: Reads the pose; raises `FormatError` if it does not hold.
        glosses: The glosses that are signed, where they are known.
        signer: Who signs, where it is known.
        spans: First and last frame of each gloss, the last exclusive, where they are known.
        pictures: Reads the film, uint8 [frames, height, width, 3], as many as the pose has;
            None where there is none. Raises `FormatError` as `load` does.
        has_poses: Whether anybody has looked for joints; if not, `load` gives frames in which all
            are missing.
    """

    name: str
    split: str
    text: str
    place: Place
    load: Callable[[], Pose]
    glosses: tuple[str, ...] = ()
    signer: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    pictures: Callable[[], NDArray[np.uint8]] | None = None
    has_poses: bool = True

    @property
    def written(self) -> tuple[str, ...]:
        """All that is written of it."""
        return self.name, self.text, self.signer, " ".join(self.glosses)


E = TypeVar("E")


@dataclass(frozen=True, eq=False)
class CorpusReading(Generic[E]):
    """A corpus, of whatever kind, as its reader found it.

    Attributes:
        about: What it is.
        entries: Its utterances or pictures, in the order of the corpus.
        faults: What is wrong with its lists; the entries concerned are left out.
        files: Every file that was or will be read.
        remarks: What was left out without being wrong.
    """

    about: About
    entries: tuple[E, ...]
    faults: tuple[Fault, ...]
    files: tuple[Path, ...]
    remarks: tuple[Fault, ...] = ()


class Reading(CorpusReading[Entry]):
    """A corpus of signing as its reader found it."""


@runtime_checkable
class Found(Protocol):
    """What any reader gives."""

    @property
    def entries(self) -> tuple[object, ...]:
        """Its utterances."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What does not hold."""


def refuse_faults(reading: Found, source: Path) -> None:
    """Refuse a corpus with faults, or without utterances.

    Raises:
        FormatError: It is; the message says where the first fault is and how many there are.
    """
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


@runtime_checkable
class Reader(Protocol):
    """What the module of a reader has."""

    ABOUT: About
    Options: type[Any]

    def read(self, folder: Path, options: Any, /) -> Reading:
        """List a corpus; raise `FormatError` when nothing can be listed."""
        ...
