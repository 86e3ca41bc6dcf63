"""A person's own data: a folder of recordings and one table that says what is signed in each.

The table is a CSV with the columns `file` and `text`, and if known `gloss` (separated by spaces),
`split` (train, dev or test) and `signer`. Without a split, 80 % of the texts are for training and
10 % each for dev and test, by a hash of the text.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from signloom.data.prepared import KINDS
from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Reading
from signloom.data.readers.recordings import find_recording, load_recording
from signloom.data.readers.splits import named_split
from signloom.data.readers.tables import Row, find_table, read_table
from signloom.errors import ConfigError, FormatError

ABOUT = About(
    name="folder",
    reads="a folder of .pose files and a CSV with the columns file,text[,gloss][,split][,signer]",
    licence="none stated",
    language="und",
    spoken_language="und",
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the files cannot say."""

    name: str = ""
    """What the corpus is called in reports; by default as its folder."""
    table: str = ""
    """Name of the CSV in the folder; by default the only one there."""
    language: str = "und"
    """ISO 639-3 code of the sign language."""
    spoken_language: str = "und"
    """ISO 639-1 code of the texts."""
    licence: str = "none stated"
    """Licence of the data."""
    kind: str = "signing"
    """`signing` or `fingerspelling`."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ConfigError(f"`kind` must be {' or '.join(KINDS)}, but is {self.kind[:40]!r}.")


def read(folder: Path, options: Options) -> Reading:
    """List the rows of the table.

    Raises:
        FormatError: There is no table, or it lacks a column.
    """
    table = find_table(folder, options.table)
    rows, faults = read_table(table, ("file", "text"))
    listing = Listing([table], faults)
    for row in rows:
        _add(listing, folder, row)
    about = dataclasses.replace(
        ABOUT,
        name=options.name or folder.resolve().name,
        language=options.language,
        spoken_language=options.spoken_language,
        licence=options.licence,
        kind=options.kind,
    )
    return listing.reading(about)


def _add(listing: Listing, folder: Path, row: Row) -> None:
    place, fields = row
    try:
        split = named_split(fields.get("split", ""), key=fields["text"])
        path = find_recording(folder, fields["file"])
    except FormatError as error:
        listing.refuse(place, str(error))
        return
    entry = Entry(
        name=path.relative_to(folder).with_suffix("").as_posix(),
        split=split,
        text=fields["text"],
        place=place,
        load=partial(load_recording, path),
        glosses=tuple(fields.get("gloss", "").split()),
        signer=fields.get("signer", ""),
    )
    listing.add(entry, file=path)
