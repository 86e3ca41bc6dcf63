"""What a speech reader gives: utterances whose sound is read when asked for, and their faults."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from signloom.data.readers.listing import Gathering
from signloom.data.readers.reading import About, CorpusReading, Fault, Place
from signloom.data.readers.splits import check_shares, drawn_splits


@dataclass(frozen=True, eq=False)
class SpokenEntry:
    """One utterance of a corpus, its sound not yet read.

    Attributes:
        name: Its id, once in the corpus.
        split: `train`, `dev` or `test`; nothing where the corpus does not say.
        text: What is said.
        place: Where it is listed, for messages.
        path: The recording.
        speaker: Who speaks, where it is known.
        start_s: Where it begins in the recording, in seconds.
        end_s: Where it ends there; None if that is the end of the recording.
        duration_s: How long it is, where the list says so.
    """

    name: str
    split: str
    text: str
    place: Place
    path: Path
    speaker: str = ""
    start_s: float = 0.0
    end_s: float | None = None
    duration_s: float | None = None

    @property
    def written(self) -> tuple[str, ...]:
        """All that is written of it."""
        return self.name, self.text, self.speaker


class SpeechReading(CorpusReading[SpokenEntry]):
    """A corpus of speech as its reader found it."""


@dataclass(frozen=True, kw_only=True)
class ListOptions:
    """What a list cannot say; splits are drawn where it names none."""

    name: str = ""
    """What the corpus is called in reports; by default as its folder."""
    spoken_language: str = "und"
    """ISO 639-1 code of what is said."""
    licence: str = "none stated"
    """Licence of the data."""
    dev_percent: float = 10.0
    """Share of dev, where splits are drawn."""
    test_percent: float = 10.0
    """Share of test, where splits are drawn."""
    seed: int = 0
    """Decides which utterances are drawn."""

    def __post_init__(self) -> None:
        check_shares(dev_percent=self.dev_percent, test_percent=self.test_percent, seed=self.seed)

    def tell(self, about: About, folder: Path) -> About:
        """Say what the corpus in a folder is."""
        return replace(
            about,
            name=self.name or folder.resolve().name,
            spoken_language=self.spoken_language,
            licence=self.licence,
        )


class SpeechListing(Gathering[SpokenEntry]):
    """What has been found of a corpus of speech so far."""

    def reading(
        self, about: About, options: ListOptions | None = None, *, remarks: tuple[Fault, ...] = ()
    ) -> SpeechReading:
        """Give what has been found.

        Args:
            about: What the corpus is.
            options: Draw the splits of the entries that have none.
            remarks: What was left out without being wrong.
        """
        entries = self.entries
        unknown = [entry for entry in entries if not entry.split]
        if options is not None and unknown:
            drawn = iter(
                drawn_splits(
                    len(unknown),
                    seed=options.seed,
                    dev_percent=options.dev_percent,
                    test_percent=options.test_percent,
                )
            )
            entries = tuple(
                entry if entry.split else replace(entry, split=next(drawn)) for entry in entries
            )
        return SpeechReading(about, entries, self.faults, self.files, remarks)


@runtime_checkable
class SpeechReader(Protocol):
    """What the module of a speech reader has."""

    ABOUT: About
    Options: type[Any]

    def read(self, folder: Path, options: Any, /) -> SpeechReading:
        """List a corpus; raise `FormatError` when nothing can be listed."""
        ...
