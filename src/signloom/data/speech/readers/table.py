"""A folder of recordings and a table of what is said in them, as Common Voice has it.

`train`, `dev` and `test` as `.tsv` or `.csv`, or one table of all. A row has the columns `file` and
`text`, and perhaps `split` and `speaker`; options name others. The recordings lie in the folder, or
in one of its folders that an option names, and may be named without their suffix.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from signloom.data.readers.reading import About
from signloom.data.readers.splits import known_split
from signloom.data.readers.tables import Row, read_table
from signloom.data.speech.readers.lists import find_lists
from signloom.data.speech.readers.reading import (
    ListOptions,
    SpeechListing,
    SpeechReading,
    SpokenEntry,
)
from signloom.data.speech.readers.recordings import find_named
from signloom.errors import FormatError

ABOUT = About(
    name="table",
    reads="a folder of recordings and a .tsv or .csv with the columns file,text[,split][,speaker]",
    licence="none stated",
    language="und",
    spoken_language="und",
    kind="speech",
)
SUFFIXES = (".tsv", ".csv")


@dataclass(frozen=True, kw_only=True)
class Options(ListOptions):
    """What the columns are called and where the recordings are; splits are drawn without any."""

    table: str = ""
    """Name of the table in the folder; by default those of the splits, or the only one there."""
    file: str = "file"
    """Column of the recording, its path in the folder of recordings."""
    text: str = "text"
    """Column of what is said."""
    split: str = "split"
    """Column of the split, if there is one."""
    speaker: str = "speaker"
    """Column of the speaker, if there is one."""
    recordings: str = ""
    """Folder of the recordings, its path seen from the folder; by default the folder itself."""
    suffix: str = ""
    """Suffix of the recordings where the column lacks it; by default any of sound is tried."""


def read(folder: Path, options: Options) -> SpeechReading:
    """List the rows of the tables.

    Raises:
        FormatError: There is no table, or one lacks a column.
    """
    listing = SpeechListing()
    for path, split in find_lists(folder, options.table, suffixes=SUFFIXES):
        delimiter = "," if path.suffix.lower() == ".csv" else "\t"
        rows, faults = read_table(path, (options.file, options.text), delimiter=delimiter)
        listing.read_from(path)
        listing.refuse_all(faults)
        for row in rows:
            try:
                listing.add(_entry(folder / options.recordings, row, split=split, options=options))
            except FormatError as error:
                listing.refuse(row[0], str(error))
    return listing.reading(options.tell(ABOUT, folder), options)


def _entry(folder: Path, row: Row, *, split: str, options: Options) -> SpokenEntry:
    place, fields = row
    named = fields.get(options.split, "")
    path = find_named(folder, fields[options.file], suffix=options.suffix)
    return SpokenEntry(
        name=path.relative_to(folder).with_suffix("").as_posix(),
        split=known_split(named) if named else split,
        text=fields[options.text],
        place=place,
        path=path,
        speaker=fields.get(options.speaker, ""),
    )
