"""Films and one table that says what is signed in each: the plain form for a person's own films.

The table is a CSV with the columns `name`, a folder of pictures or a video, and `glosses`
(separated by spaces), and if known `split` (train, dev or test), `text` and `signer`. Without a
split, 80 % of the texts are for training and 10 % each for dev and test, by a hash of the text.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from signloom.data.readers.films import FilmOptions, find_film
from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Reading
from signloom.data.readers.splits import named_split
from signloom.data.readers.tables import Row, find_table, read_table
from signloom.errors import FormatError

ABOUT = About(
    name="frames",
    reads="folders of pictures or videos and a CSV with the columns name,glosses[,split][,text]",
    licence="none stated",
    language="und",
    spoken_language="und",
)


@dataclass(frozen=True, kw_only=True)
class Options(FilmOptions):
    """What the files cannot say."""

    table: str = ""
    """Name of the CSV in the folder; by default the only one there."""
    films: str = ""
    """Folder of the films, seen from that of the corpus; by default the same folder."""
    language: str = "und"
    """ISO 639-3 code of the sign language."""
    spoken_language: str = "und"
    """ISO 639-1 code of the texts."""
    licence: str = "none stated"
    """Licence of the data."""


def read(folder: Path, options: Options) -> Reading:
    """List the rows of the table.

    Raises:
        FormatError: There is no table, or it lacks a column.
    """
    table = find_table(folder, options.table)
    rows, faults = read_table(table, ("name", "glosses"))
    listing = Listing([table], faults)
    for row in rows:
        _add(listing, folder, row, options=options)
    about = dataclasses.replace(
        ABOUT,
        language=options.language,
        spoken_language=options.spoken_language,
        licence=options.licence,
    )
    return listing.reading(about)


def _add(listing: Listing, folder: Path, row: Row, *, options: Options) -> None:
    place, fields = row
    text = fields.get("text") or fields["glosses"]
    try:
        split = named_split(fields.get("split", ""), key=text)
        film = find_film(folder, fields["name"], films=folder / options.films, options=options)
    except FormatError as error:
        listing.refuse(place, str(error))
        return
    entry = Entry(
        name=fields["name"],
        split=split,
        text=text,
        place=place,
        load=film.pose,
        glosses=tuple(fields["glosses"].split()),
        signer=fields.get("signer", ""),
        pictures=film.pictures,
        has_poses=film.has_poses,
    )
    listing.add(entry, file=film.recording)
