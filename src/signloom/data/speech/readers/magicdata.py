"""MAGICDATA: 755 hours of read Mandarin by 1080 speakers (OpenSLR 68).

Each of `train`, `dev` and `test` has `TRANS.txt`, a table parted by tabs with the columns
`UtteranceID`, `SpeakerID` and `Transcription`, and the recordings by speaker:
`train/<SpeakerID>/<UtteranceID>`. Marks of noise such as `[FIL]` are left out of what is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from signloom.data.corpora.words import SPLITS
from signloom.data.readers.reading import About
from signloom.data.readers.tables import Row, read_table
from signloom.data.speech.readers.reading import SpeechListing, SpeechReading, SpokenEntry
from signloom.data.speech.readers.recordings import find_named
from signloom.errors import FormatError

ABOUT = About(
    name="magicdata",
    reads="{train,dev,test}/TRANS.txt and recordings by speaker, train/<SpeakerID>/<UtteranceID>",
    licence="CC BY-NC-ND 4.0 (MAGICDATA, OpenSLR 68)",
    language="und",
    spoken_language="zh",
    kind="speech",
    notes=("marks of noise such as [FIL] are left out",),
)
COLUMNS = ("UtteranceID", "SpeakerID", "Transcription")
_MARK = re.compile(r"\[[A-Z*]+\]")


@dataclass(frozen=True, kw_only=True)
class Options:
    """The corpus says all itself."""


def read(folder: Path, options: Options) -> SpeechReading:
    """List the rows of the tables that are there.

    Raises:
        FormatError: There is none, or one lacks a column.
    """
    del options
    tables = {split: folder / split / "TRANS.txt" for split in SPLITS}
    if not any(path.is_file() for path in tables.values()):
        raise FormatError(f"{folder} must hold {tables['train']} or its like, but has none.")
    listing = SpeechListing()
    for split, path in tables.items():
        if not path.is_file():
            continue
        rows, faults = read_table(path, COLUMNS, delimiter="\t")
        listing.read_from(path)
        listing.refuse_all(faults)
        for row in rows:
            try:
                listing.add(_entry(path.parent, row, split=split))
            except FormatError as error:
                listing.refuse(row[0], str(error))
    return listing.reading(ABOUT)


def _entry(folder: Path, row: Row, *, split: str) -> SpokenEntry:
    place, fields = row
    path = find_named(folder, f"{fields['SpeakerID']}/{fields['UtteranceID']}")
    return SpokenEntry(
        name=path.stem,
        split=split,
        text=" ".join(_MARK.sub(" ", fields["Transcription"]).split()),
        place=place,
        path=path,
        speaker=fields["SpeakerID"],
    )
