"""What a reader of captions gives: pictures with all that is said of them, and their faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from signloom.data.captions.captioned import Captioned
from signloom.data.corpora.words import SPLITS
from signloom.data.readers.listing import Gathering
from signloom.data.readers.reading import About, CorpusReading, Fault, Place


@dataclass(frozen=True, eq=False)
class PictureEntry:
    """One picture of a corpus, not yet read.

    Attributes:
        name: Its id, once in the corpus.
        split: `train`, `dev` or `test`.
        captions: What people say of it.
        place: Where it is listed, for messages.
        path: The picture; None where only its captions are at hand.
    """

    name: str
    split: str
    captions: tuple[str, ...]
    place: Place
    path: Path | None = None

    @property
    def text(self) -> str:
        """Its first caption."""
        return self.captions[0] if self.captions else ""

    @property
    def written(self) -> tuple[str, ...]:
        """All that is written of it."""
        return self.name, *self.captions


class CaptionReading(CorpusReading[PictureEntry]):
    """A corpus of captioned pictures as its reader found it."""

    def splits(self) -> dict[str, list[Captioned]]:
        """Give the pictures of each split."""
        found: dict[str, list[Captioned]] = {split: [] for split in SPLITS}
        for one in self.entries:
            found[one.split].append(Captioned(one.name, one.path, one.captions))
        return found


@dataclass
class Captions:
    """What is said of a picture, gathered row by row.

    Attributes:
        place: Where it is first listed.
        texts: Its captions.
        split: What the list calls its split, if it does.
    """

    place: Place
    texts: list[str] = field(default_factory=list)
    split: str = ""


class CaptionListing(Gathering[PictureEntry]):
    """What has been found of a corpus of captions so far."""

    def gather(self, found: dict[str, Captions], name: str, text: str, *, place: Place) -> Captions:
        """Add a caption to those of its picture; a fault in its place if it is empty."""
        one = found.setdefault(name, Captions(place))
        if text:
            one.texts.append(text)
        else:
            self.refuse(place, f"must say something of {name[:80]!r}, but its caption is empty")
        return one

    def reading(self, about: About, *, remarks: Sequence[Fault] = ()) -> CaptionReading:
        """Give what has been found."""
        return CaptionReading(about, self.entries, self.faults, self.files, tuple(remarks))


@runtime_checkable
class CaptionReader(Protocol):
    """What the module of a reader of captions has."""

    ABOUT: About
    Options: type[Any]

    def read(self, folder: Path, options: Any, /) -> CaptionReading:
        """List a corpus; raise `FormatError` when nothing can be listed."""
        ...
