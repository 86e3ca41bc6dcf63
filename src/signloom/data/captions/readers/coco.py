"""COCO captions (Chen et al. 2015), by the split of Karpathy and Fei-Fei where its file is there.

    dataset_coco.json                     the Karpathy split, with its captions; or
    captions_*.json, annotations/…        COCO's own, `train` or `val` in the name says the split
    train2014/, val2014/ …                the pictures, where they are at hand

Pictures of the split's `restval` are learned from, as the field does. Captions without pictures are
enough to evaluate, and to train on features that somebody else has computed.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from signloom.data.captions.readers.files import find_picture
from signloom.data.captions.readers.reading import (
    CaptionListing,
    CaptionReading,
    PictureEntry,
)
from signloom.data.readers.documents import read_object
from signloom.data.readers.reading import About, Place
from signloom.errors import FormatError

ABOUT = About(
    name="coco",
    reads="captions_*.json of COCO, or the Karpathy split dataset_coco.json; pictures if there",
    licence="captions CC BY 4.0; the pictures belong to their authors at Flickr",
    language="und",
    spoken_language="en",
    kind="captions",
)
MAX_BYTES = 512 * 2**20
_ABSENT = (KeyError, TypeError, AttributeError)
_SPLITS = {"train": "train", "restval": "train", "val": "dev", "test": "test"}


@dataclass(frozen=True, kw_only=True)
class Options:
    """Where the split is."""

    split: str = "dataset_coco.json"
    """The file of the Karpathy split, its path in the folder; without one, COCO's own split."""
    name: str = "coco"
    """What the corpus is called: the same file exists of Flickr8k and Flickr30k."""


def read(folder: Path, options: Options) -> CaptionReading:
    """List the pictures.

    Raises:
        FormatError: There is neither the split nor captions, or a file does not hold.
    """
    listing = CaptionListing()
    karpathy = folder / options.split
    paths = sorted((*folder.glob("captions_*.json"), *folder.glob("annotations/captions_*.json")))
    if karpathy.is_file():
        _read_karpathy(karpathy, listing)
    elif paths:
        for path in paths:
            _read_own(path, listing)
    else:
        raise FormatError(
            f"{folder} must hold {options.split} or captions_*.json, but holds neither."
        )
    return listing.reading(replace(ABOUT, name=options.name))


def _read_karpathy(path: Path, listing: CaptionListing) -> None:
    """List the pictures of the split's file, which has no lines: a fault says which picture."""
    listing.read_from(path)
    for number, one in enumerate(_listed(path, "images"), start=1):
        try:
            where = Path(_text(one.get("filepath", "")), _text(one["filename"]))
            name = _name(one.get("cocoid", where.stem))
            split = _SPLITS[one["split"]]
            captions = tuple(_text(each["raw"]) for each in one["sentences"])
        except _ABSENT as error:
            listing.refuse(
                Place(path),
                f"picture {number} must have filename, sentences with raw, and a split of "
                f"{', '.join(_SPLITS)}, but has not: {type(error).__name__} {error}",
            )
            continue
        listing.add(PictureEntry(name, split, captions, Place(path), _there(path.parent, where)))


def _read_own(path: Path, listing: CaptionListing) -> None:
    """List the pictures of a file of COCO."""
    listing.read_from(path)
    split = "train" if "train" in path.name else "dev"
    root = path.parent.parent if path.parent.name == "annotations" else path.parent
    pictures = Path(path.stem.removeprefix("captions_"))
    said: dict[str, list[str]] = {}
    for number, one in enumerate(_listed(path, "annotations"), start=1):
        try:
            said.setdefault(_name(one["image_id"]), []).append(_text(one["caption"]))
        except _ABSENT:
            wanted = f"annotation {number} must have image_id and caption, but has not"
            listing.refuse(Place(path), wanted)
    for number, one in enumerate(_listed(path, "images"), start=1):
        try:
            name, where = _name(one["id"]), pictures / _text(one["file_name"])
        except _ABSENT:
            listing.refuse(Place(path), f"picture {number} must have id and file_name, but has not")
            continue
        texts = tuple(said.pop(name, []))
        listing.add(PictureEntry(name, split, texts, Place(path), _there(root, where)))
    for lost in said:
        listing.refuse(Place(path), f"captions picture {lost}, but lists no such picture")


def _listed(path: Path, key: str) -> list[Any]:
    found = read_object(path, most=MAX_BYTES).get(key)
    if not isinstance(found, list):
        raise FormatError(f"{path} must hold a list `{key}`, but does not.")
    return found


def _text(value: Any) -> str:
    """Give a text; raise `TypeError` if it is something else."""
    if not isinstance(value, str):
        raise TypeError(f"must be a text, but is {value!r:.40}")
    return value


def _name(value: Any) -> str:
    """Give an id, a whole number or a text; raise `TypeError` if it is something else."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise TypeError(f"must be a whole number or a text, but is {value!r:.40}")
    return str(value)


def _there(root: Path, where: Path) -> Path | None:
    """Give the picture if it is there; what leads out of the folder is not."""
    for place in (where, "images" / where, Path("images", where.name)):
        with suppress(FormatError, OSError):  # a name that is too long is of no folder
            if (root / place.parent).is_dir():
                return find_picture(root, place.as_posix())
    return None
