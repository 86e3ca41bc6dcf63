"""RWTH-PHOENIX-Weather 2014 as its makers publish it: folders of pictures and a table a split.

`annotations/manual/{train,dev,test}.corpus.csv` has the columns `id|folder|signer|annotation`; the
signer-independent part calls its tables `{train,dev,test}.SI5.corpus.csv`. The pictures of an id
lie in `features/fullFrame-210x260px/<split>/<id>/1`. What is signed is known as glosses alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from signloom.data.corpora.words import SPLITS
from signloom.data.readers.films import FilmOptions, find_film
from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Reading
from signloom.data.readers.tables import read_table
from signloom.errors import FormatError

ABOUT = About(
    name="phoenix14-frames",
    reads="PHOENIX-2014: annotations/manual/*.corpus.csv and features/fullFrame-210x260px",
    licence="CC BY-NC-SA (RWTH-PHOENIX-Weather 2014)",
    language="gsg",
    spoken_language="de",
    notes=("the text of a sentence is its glosses",),
)
TABLES = Path("annotations/manual")
FILMS = "features/fullFrame-210x260px"
COLUMNS = ("id", "folder", "signer", "annotation")


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
    tables = [
        (split, path)
        for split in SPLITS
        for path in (folder / TABLES / f"{split}{part}.corpus.csv" for part in ("", ".SI5"))
        if path.is_file()
    ]
    if not tables:
        raise FormatError(f"{folder / TABLES} must hold train.corpus.csv, but has none.")
    listing = Listing()
    for split, path in tables:
        rows, faults = read_table(path, COLUMNS, delimiter="|")
        listing.read_from(path)
        listing.refuse_all(faults)
        for place, fields in rows:
            name = fields["id"]
            films = folder / options.films / split
            try:
                film = find_film(folder, name, films=films, split=split, options=options)
            except FormatError as error:
                listing.refuse(place, str(error))
                continue
            entry = Entry(
                name=f"{split}/{name}",
                split=split,
                text=fields["annotation"],
                place=place,
                load=film.pose,
                glosses=tuple(fields["annotation"].split()),
                signer=fields["signer"],
                pictures=film.pictures,
                has_poses=film.has_poses,
            )
            listing.add(entry, file=film.recording)
    return listing.reading(ABOUT)
