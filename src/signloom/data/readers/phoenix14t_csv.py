"""PHOENIX-2014-T as its makers publish it: one table a split, and recordings by name.

`PHOENIX-2014-T.{train,dev,test}.corpus.csv` has the columns
`name|video|start|end|speaker|orth|translation`. The poses come from elsewhere: files
`<name>.pose` or `<name>.skels`, in one folder or in one a split.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from signloom.data.corpora.words import SPLITS
from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Reading
from signloom.data.readers.recordings import find_recording, load_recording
from signloom.data.readers.tables import Row, read_table
from signloom.errors import FormatError

ABOUT = About(
    name="phoenix14t-csv",
    reads="PHOENIX-2014-T.{train,dev,test}.corpus.csv and .pose or .skels files by name",
    licence="CC BY-NC-SA (RWTH-PHOENIX-Weather 2014 T)",
    language="gsg",
    spoken_language="de",
)
COLUMNS = ("name", "speaker", "orth", "translation")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Where the poses are."""

    recordings: str = ""
    """Folder of the poses, its path seen from that of the tables; by default the same folder."""


def read(folder: Path, options: Options) -> Reading:
    """List the rows of the tables that are there.

    Raises:
        FormatError: There is no table, or one lacks a column.
    """
    listing = Listing()
    for split, path in find_tables(folder).items():
        rows, faults = read_table(path, COLUMNS, delimiter="|")
        listing.read_from(path)
        listing.refuse_all(faults)
        for row in rows:
            _add(listing, folder / options.recordings, row, split=split)
    return listing.reading(ABOUT)


def find_tables(folder: Path) -> dict[str, Path]:
    """Give the tables that are there, by split.

    Raises:
        FormatError: There is none.
    """
    tables = {split: folder / f"PHOENIX-2014-T.{split}.corpus.csv" for split in SPLITS}
    present = {split: path for split, path in tables.items() if path.is_file()}
    if not present:
        raise FormatError(f"{folder} must hold {tables['train'].name} or its like, but has none.")
    return present


def _add(listing: Listing, recordings: Path, row: Row, *, split: str) -> None:
    place, fields = row
    folder = recordings / split if (recordings / split).is_dir() else recordings
    try:
        path = find_recording(folder, fields["name"])
    except FormatError as error:
        listing.refuse(place, str(error))
        return
    entry = Entry(
        name=f"{split}/{fields['name']}",
        split=split,
        text=fields["translation"],
        place=place,
        load=partial(load_recording, path),
        glosses=tuple(fields["orth"].split()),
        signer=fields["speaker"],
    )
    listing.add(entry, file=path)
