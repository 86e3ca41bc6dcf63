"""A folder of pictures and a table of what is said of them: a person's own corpus.

The table has the columns `image` and `caption`, and perhaps `split`; options name others. A picture
with several captions has several rows. Without a split, pictures are shared out by their names.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from signloom.data.captions.readers.files import find_picture
from signloom.data.captions.readers.reading import (
    CaptionListing,
    CaptionReading,
    Captions,
    PictureEntry,
)
from signloom.data.readers.reading import About
from signloom.data.readers.splits import named_split
from signloom.data.readers.tables import find_table, read_table
from signloom.errors import FormatError

ABOUT = About(
    name="captions",
    reads="a folder of pictures and a .csv or .tsv with the columns image,caption[,split]",
    licence="none stated",
    language="und",
    spoken_language="und",
    kind="captions",
)
SUFFIXES = (".csv", ".tsv")
IMAGES = "images"


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the columns are called and where the pictures are."""

    table: str = ""
    """Name of the table in the folder; by default the only one there."""
    image: str = "image"
    """Column of the picture, its path in the folder of pictures."""
    caption: str = "caption"
    """Column of what is said of it."""
    split: str = "split"
    """Column of the split, if there is one."""
    pictures: str = ""
    """Folder of the pictures, its path seen from the folder; by default the folder itself, or its
    `images` if the first picture is there."""
    spoken_language: str = "und"
    """ISO 639-1 code of the captions."""
    licence: str = "none stated"
    """Licence of the data."""


def read(folder: Path, options: Options) -> CaptionReading:
    """List the pictures of the table.

    Raises:
        FormatError: There is no table, or it lacks a column.
    """
    listing = CaptionListing()
    path = find_table(folder, options.table, suffixes=SUFFIXES)
    delimiter = "," if path.suffix.lower() == ".csv" else "\t"
    rows, faults = read_table(path, (options.image, options.caption), delimiter=delimiter)
    listing.read_from(path)
    listing.refuse_all(faults)
    found: dict[str, Captions] = {}
    for place, fields in rows:
        one = listing.gather(found, fields[options.image], fields[options.caption], place=place)
        split = fields.get(options.split, "")
        one.split = one.split or split
        if split not in ("", one.split):
            listing.refuse(place, f"must be of {one.split!r} as before it, but is of {split!r}")
    pictures = folder / (options.pictures or _usual(folder, next(iter(found), "")))
    for name, one in found.items():
        try:
            listing.add(_entry(pictures, name, one))
        except FormatError as error:
            listing.refuse(one.place, str(error).rstrip("."))
    about = replace(
        ABOUT,
        name=folder.resolve().name,
        spoken_language=options.spoken_language,
        licence=options.licence,
    )
    return listing.reading(about)


def _usual(folder: Path, name: str) -> str:
    """Say in which folder the pictures are where nobody does, by the first of them."""
    with suppress(FormatError):
        find_picture(folder / IMAGES, name)
        return IMAGES
    return ""


def _entry(pictures: Path, name: str, found: Captions) -> PictureEntry:
    path = find_picture(pictures, name)
    stem = PurePosixPath(name).with_suffix("").as_posix()
    split = named_split(found.split, key=stem)
    return PictureEntry(stem, split, tuple(found.texts), found.place, path)
