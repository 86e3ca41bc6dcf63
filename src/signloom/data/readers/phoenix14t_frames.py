"""PHOENIX-2014-T as its makers publish it: folders of pictures and a table a split.

The tables are those of the reader `phoenix14t-csv`, in `annotations/manual`; the pictures of a name
lie in `features/fullFrame-210x260px/<split>/<name>`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from signloom.data.readers import phoenix14t_csv
from signloom.data.readers.films import FilmOptions, find_film
from signloom.data.readers.listing import Listing
from signloom.data.readers.phoenix14_frames import FILMS, TABLES
from signloom.data.readers.reading import Entry, Reading
from signloom.data.readers.tables import read_table
from signloom.errors import FormatError

ABOUT = dataclasses.replace(
    phoenix14t_csv.ABOUT,
    name="phoenix14t-frames",
    reads="PHOENIX-2014-T: annotations/manual/*.corpus.csv and features/fullFrame-210x260px",
)


@dataclass(frozen=True, kw_only=True)
class Options(FilmOptions):
    """Where the films are, and how they are read."""

    films: str = FILMS
    """Folder of the films by split, seen from that of the corpus."""


def read(folder: Path, options: Options) -> Reading:
    """List the rows of the tables that are there.

    Raises:
        FormatError: There is no table, or one lacks a column.
    """
    listing = Listing()
    for split, path in phoenix14t_csv.find_tables(folder / TABLES).items():
        rows, faults = read_table(path, phoenix14t_csv.COLUMNS, delimiter="|")
        listing.read_from(path)
        listing.refuse_all(faults)
        for place, fields in rows:
            films = folder / options.films / split
            try:
                film = find_film(folder, fields["name"], films=films, split=split, options=options)
            except FormatError as error:
                listing.refuse(place, str(error))
                continue
            entry = Entry(
                name=f"{split}/{fields['name']}",
                split=split,
                text=fields["translation"],
                place=place,
                load=film.pose,
                glosses=tuple(fields["orth"].split()),
                signer=fields["speaker"],
                pictures=film.pictures,
                has_poses=film.has_poses,
            )
            listing.add(entry, file=film.recording)
    return listing.reading(ABOUT)
