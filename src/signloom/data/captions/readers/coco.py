"""COCO captions (Chen et al. 2015), by the split of Karpathy and Fei-Fei where its file is there.

    dataset_coco.json                     the Karpathy split, with its captions; or
    captions_*.json, annotations/…        COCO's own, `train` or `val` in the name says the split
    train2014/, val2014/ …                the pictures, where they are at hand

Pictures of the split's `restval` are learned from, as the field does. Captions without pictures are
enough to evaluate, and to train on features that somebody else has computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
        found = _karpathy(karpathy)
        listing.read_from(karpathy)
    elif paths:
        found = (entry for path in paths for entry in _own(path))
        listing.read_from(*paths)
    else:
        raise FormatError(
            f"{folder} must hold {options.split} or captions_*.json, but holds neither."
        )
    for entry in found:
        listing.add(entry)
    return listing.reading(ABOUT)


def _karpathy(path: Path) -> Iterator[PictureEntry]:
    """List the pictures of the split's file."""
    for number, one in enumerate(_listed(path, "images")):
        place = Place(path)
        try:
            name = str(one.get("cocoid", Path(one["filename"]).stem))
            split = _SPLITS[one["split"]]
            captions = tuple(str(each["raw"]) for each in one["sentences"])
            where = Path(str(one.get("filepath", "")), str(one["filename"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise FormatError(
                f"{path} must say of each picture its filename, split and raw sentences, but "
                f"picture {number} does not: {error}."
            ) from error
        yield PictureEntry(name, split, captions, place, _there(path.parent, where))


def _own(path: Path) -> Iterator[PictureEntry]:
    """List the pictures of a file of COCO."""
    split = "train" if "train" in path.name else "dev"
    try:
        files = {one["id"]: str(one["file_name"]) for one in _listed(path, "images")}
        captions: dict[int, list[str]] = {picture: [] for picture in files}
        for one in _listed(path, "annotations"):
            captions[one["image_id"]].append(str(one["caption"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(
            f"{path} must list images with id and file_name, and annotations with image_id and "
            f"caption, but does not: {error}."
        ) from error
    root = path.parent.parent if path.parent.name == "annotations" else path.parent
    for picture, texts in captions.items():
        where = Path(path.stem.removeprefix("captions_"), files[picture])
        yield PictureEntry(str(picture), split, tuple(texts), Place(path), _there(root, where))


def _listed(path: Path, key: str) -> list[Mapping[str, Any]]:
    found = read_object(path, most=MAX_BYTES).get(key)
    if not isinstance(found, list):
        raise FormatError(f"{path} must hold a list `{key}`, but does not.")
    return found


def _there(root: Path, where: Path) -> Path | None:
    """Give the picture if it is there; what leads out of the folder is not."""
    if where.is_absolute() or ".." in where.parts:
        return None
    for path in (root / where, root / "images" / where, root / "images" / where.name):
        if path.is_file():
            return path
    return None
