"""Flickr8k (Hodosh et al. 2013): 8,000 pictures from Flickr, five captions each.

    captions.csv, captions.txt   rows `image,caption` under a header; or
    Flickr8k.token.txt           lines `1000268201_693b08cb0e.jpg#0<tab>caption`
    Flickr_8k.trainImages.txt    the official split: 6,000 names; devImages, testImages 1,000 each
    images/                      the pictures, also Images/ and Flicker8k_Dataset/

Captions that are in none of the three lists are left out, which are 91 pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from signloom.data.captions.readers.files import find_picture, first_folder
from signloom.data.captions.readers.reading import (
    CaptionListing,
    CaptionReading,
    Captions,
    PictureEntry,
)
from signloom.data.corpora.words import SPLITS
from signloom.data.readers.reading import About, Fault, Place
from signloom.data.readers.tables import read_lines, read_table
from signloom.errors import FormatError

ABOUT = About(
    name="flickr8k",
    reads="captions.csv or Flickr8k.token.txt, Flickr_8k.{train,dev,test}Images.txt, images/",
    licence="research only; the pictures belong to their authors at Flickr",
    language="und",
    spoken_language="en",
    kind="captions",
)
TABLES = ("captions.csv", "captions.txt")
TOKENS = "Flickr8k.token.txt"
FOLDERS = ("images", "Images", "Flicker8k_Dataset", "Flickr8k_Dataset")
_FIELDS = ("image", "caption")


@dataclass(frozen=True, kw_only=True)
class Options:
    """There are none."""


def read(folder: Path, _: Options) -> CaptionReading:
    """List the pictures of the official split.

    Raises:
        FormatError: A list is missing or cannot be read.
    """
    listing = CaptionListing()
    captions = _captions(folder, listing)
    pictures = first_folder(folder, FOLDERS, noun="the pictures")
    for split in SPLITS:
        path = folder / f"Flickr_8k.{split}Images.txt"
        listing.read_from(path)
        for number, line in enumerate(read_lines(path), start=1):
            if line.strip():
                place = Place(path, number)
                try:
                    listing.add(_entry(line.strip(), split, place, captions, pictures))
                except FormatError as error:
                    listing.refuse(place, str(error).rstrip("."))
    left = len(captions)
    unlisted = [Fault(Place(folder), f"{left} pictures are in no list of a split and left out")]
    return listing.reading(ABOUT, remarks=unlisted if left else ())


def _entry(
    name: str, split: str, place: Place, captions: dict[str, Captions], pictures: Path
) -> PictureEntry:
    found = captions.pop(name, None)
    if found is None:
        raise FormatError(f"names {name[:80]!r}, of which there is no caption, or named it before")
    path = find_picture(pictures, name)
    return PictureEntry(PurePosixPath(name).stem, split, tuple(found.texts), place, path)


def _captions(folder: Path, listing: CaptionListing) -> dict[str, Captions]:
    """Gather the captions of each picture."""
    found: dict[str, Captions] = {}
    for name in TABLES:
        if (folder / name).is_file():
            rows, faults = read_table(folder / name, _FIELDS)
            listing.read_from(folder / name)
            listing.refuse_all(faults)
            for place, fields in rows:
                listing.gather(found, fields["image"], fields["caption"], place=place)
            return found
    path = folder / TOKENS
    if not path.is_file():
        wanted = ", ".join((*TABLES, TOKENS))
        raise FormatError(f"{folder} must hold one of {wanted}, but holds none.")
    listing.read_from(path)
    for number, line in enumerate(read_lines(path), start=1):
        name, tab, caption = line.partition("\t")
        if not tab:
            listing.refuse(Place(path, number), f"must read `name#0<tab>caption`: {line[:40]!r}")
            continue
        name = name.partition("#")[0]
        listing.gather(found, name, caption.strip(), place=Place(path, number))
    return found
