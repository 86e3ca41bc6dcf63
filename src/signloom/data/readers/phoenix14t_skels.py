"""PHOENIX-2014-T as the parallel files of ProgressiveTransformersSLP.

`{train,dev,test}.{text,gloss,skels,files}`: line i of each is one sequence; `.gloss` and `.files`
may be missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from signloom.data.corpora.words import SPLITS
from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Place, Reading
from signloom.data.readers.skels_lines import SkelsLines
from signloom.data.readers.tables import read_lines
from signloom.errors import FormatError

ABOUT = About(
    name="phoenix14t-skels",
    reads="parallel files {train,dev,test}.{text,gloss,skels,files}",
    licence="CC BY-NC-SA (RWTH-PHOENIX-Weather 2014 T)",
    language="gsg",
    spoken_language="de",
    notes=("3D joints estimated from 2D keypoints by the makers of the .skels files",),
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """How the files are read."""

    swap_sides: bool = False
    """Take joints 2-4 and their hand for the signer's right arm: tools name sides differently."""


def read(folder: Path, options: Options) -> Reading:
    """List the sequences of the splits that are there.

    Raises:
        FormatError: There is no `.skels` file of a split.
    """
    splits = [split for split in SPLITS if (folder / f"{split}.skels").is_file()]
    if not splits:
        raise FormatError(f"{folder} must hold train.skels, dev.skels or test.skels, but has none.")
    listing = Listing()
    for split in splits:
        _add_split(listing, folder, split, options=options)
    return listing.reading(ABOUT)


def _add_split(listing: Listing, folder: Path, split: str, *, options: Options) -> None:
    present = {
        part: path
        for part in ("text", "gloss", "files")
        if (path := folder / f"{split}.{part}").is_file()
    }
    path = folder / f"{split}.skels"
    listing.read_from(path, *present.values())
    if "text" not in present:
        listing.refuse(Place(folder / f"{split}.text"), f"must go with {path.name}, but is missing")
        return
    skels = SkelsLines(path, swap_sides=options.swap_sides)
    lines = {part: read_lines(file) for part, file in present.items()}
    uneven = {part: len(found) for part, found in lines.items() if len(found) != len(skels)}
    for part, count in uneven.items():
        message = f"must have {len(skels)} lines as {path.name} has, but has {count}"
        listing.refuse(Place(present[part]), message)
    if uneven:
        return
    names = lines.get("files") or [f"{split}/{number + 1}" for number in range(len(skels))]
    glosses = lines.get("gloss") or [""] * len(skels)
    for number, (name, text, signed) in enumerate(zip(names, lines["text"], glosses, strict=True)):
        entry = Entry(
            name=name.strip(),
            split=split,
            text=text.strip(),
            place=Place(path, number + 1),
            load=partial(skels.pose, number),
            glosses=tuple(signed.split()),
        )
        listing.add(entry)
