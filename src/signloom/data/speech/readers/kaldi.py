"""Kaldi's data folders: lists of recordings, of what is said in them, and of who says it.

A folder `train`, `dev` or `test`, or one of all, has `wav.scp` (`recording path`) and `text`
(`utterance what is said`), and perhaps `segments` (`utterance recording start end`, in seconds),
`utt2spk` and `utt2dur`. Without `segments` an utterance is a recording. A path is whole, or seen
from the folder of the corpus or of the list. Commands, which Kaldi would run, are refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from signloom.data.readers.reading import About
from signloom.data.readers.splits import SPLIT_NAMES
from signloom.data.readers.tables import KeyedLines, read_keyed_lines
from signloom.data.speech.readers.reading import (
    ListOptions,
    SpeechListing,
    SpeechReading,
    SpokenEntry,
)
from signloom.data.speech.readers.recordings import find_listed, seconds
from signloom.errors import FormatError

ABOUT = About(
    name="kaldi",
    reads="folders train, dev and test, each with wav.scp, text[, segments][, utt2spk][, utt2dur]",
    licence="none stated",
    language="und",
    spoken_language="und",
    kind="speech",
    notes=("a command in wav.scp is refused, as running it would run what a stranger wrote",),
)


@dataclass(frozen=True, kw_only=True)
class Options(ListOptions):
    """What the lists cannot say."""


def read(folder: Path, options: Options) -> SpeechReading:
    """List the utterances of the folders that are there.

    Raises:
        FormatError: There is none, or one lacks a list.
    """
    listing = SpeechListing()
    for split, lists in _find_lists(folder).items():
        _add_lists(listing, folder, lists, split=split)
    return listing.reading(options.tell(ABOUT, folder), options)


def _find_lists(folder: Path) -> dict[str, Path]:
    """Give the folders of lists by split; one of all has none."""
    present = {
        split: folder / name
        for name, split in reversed(SPLIT_NAMES.items())
        if (folder / name / "wav.scp").is_file()
    }
    if not present and (folder / "wav.scp").is_file():
        return {"": folder}
    if not present:
        raise FormatError(f"{folder} must hold {folder / 'train' / 'wav.scp'} or its like.")
    return {split: present[split] for split in SPLIT_NAMES if split in present}


@dataclass
class _Lists:
    """The lists of one folder."""

    folder: Path
    sounds: KeyedLines
    texts: KeyedLines
    segments: KeyedLines | None
    speakers: KeyedLines
    lengths: KeyedLines

    @classmethod
    def read(cls, folder: Path, listing: SpeechListing) -> _Lists:
        def keyed(name: str, noun: str) -> KeyedLines:
            lines, faults = read_keyed_lines(folder / name, noun=noun)
            listing.read_from(folder / name)
            listing.refuse_all(faults)
            return lines

        def optional(name: str, noun: str) -> KeyedLines | None:
            return keyed(name, noun) if (folder / name).is_file() else None

        return cls(
            folder,
            keyed("wav.scp", "path"),
            keyed("text", "what is said"),
            optional("segments", "recording start end"),
            optional("utt2spk", "speaker") or {},
            optional("utt2dur", "seconds") or {},
        )

    def entry(self, name: str, *, split: str, root: Path) -> SpokenEntry:
        """Give an utterance.

        Raises:
            FormatError: Its recording or its place in it does not hold.
        """
        place, text = self.texts[name]
        recording, start_s, end_s = name, 0.0, None
        if self.segments is not None:
            if name not in self.segments:
                raise FormatError(f"names {name!r}, but {self.folder / 'segments'} lacks it")
            recording, start_s, end_s = _segment(self.segments[name][1])
        if recording not in self.sounds:
            raise FormatError(f"names {recording!r}, but {self.folder / 'wav.scp'} lacks it")
        length = self.lengths[name][1] if name in self.lengths else ""
        return SpokenEntry(
            name=name,
            split=split,
            text=text,
            place=place,
            path=find_listed(self.sounds[recording][1], folders=(root, self.folder)),
            speaker=self.speakers[name][1] if name in self.speakers else "",
            start_s=start_s,
            end_s=end_s,
            duration_s=seconds(length) if length else None,
        )


def _add_lists(listing: SpeechListing, root: Path, folder: Path, *, split: str) -> None:
    lists = _Lists.read(folder, listing)
    spoken = lists.sounds if lists.segments is None else lists.segments
    for name, (place, _) in spoken.items():
        if name not in lists.texts:
            listing.refuse(place, f"lists {name!r}, but {folder / 'text'} lacks it")
    for name, (place, _) in lists.texts.items():
        try:
            listing.add(lists.entry(name, split=split, root=root))
        except FormatError as error:
            listing.refuse(place, str(error))


def _segment(text: str) -> tuple[str, float, float | None]:
    """Read `recording start end`; an end of -1 is that of the recording."""
    fields = text.split()
    if len(fields) != 3:
        raise FormatError(f"must have a segment `recording start end`, but has {text[:40]!r}")
    start_s = seconds(fields[1])
    end_s = None if fields[2] in ("-1", "-1.0") else seconds(fields[2])
    if end_s is not None and end_s <= start_s:
        raise FormatError(f"must end after its start, but goes from {fields[1]} to {fields[2]} s")
    return fields[0], start_s, end_s
