"""Sentences of the DGS Corpus as the sample of `fluent-pose-synthesis` lays them out.

`sentences/<name>_metadata.json` has the text in German and English and the glosses;
`<name>_original.pose` is the sentence as it was signed, `<name>_updated.pose` the same stitched
together from the signs of a dictionary.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from signloom.data.readers.documents import read_object
from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Place, Reading
from signloom.data.readers.recordings import load_recording
from signloom.data.readers.splits import hashed_split
from signloom.errors import ConfigError, FormatError

ABOUT = About(
    name="dgs",
    reads="sentences/<name>_metadata.json with <name>_original.pose and <name>_updated.pose",
    licence="research only (Public DGS Corpus)",
    language="gsg",
    spoken_language="de",
    notes=("the sample brings no split: by a hash of the document, 80/10/10",),
)
SUFFIX = "_metadata.json"
VERSIONS = ("original", "updated")
LANGUAGES = {"german": "de", "english": "en"}


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which recording and which text."""

    version: str = "original"
    """`original`, as signed, or `updated`, stitched from the signs of a dictionary."""
    text: str = "german"
    """`german` or `english`."""

    def __post_init__(self) -> None:
        for name, known in (("version", VERSIONS), ("text", tuple(LANGUAGES))):
            if getattr(self, name) not in known:
                raise ConfigError(
                    f"`{name}` must be {' or '.join(known)}, but is `{getattr(self, name)}`."
                )


def read(folder: Path, options: Options) -> Reading:
    """List the sentences.

    Raises:
        FormatError: There is none.
    """
    where = folder / "sentences" if (folder / "sentences").is_dir() else folder
    documents = sorted(where.glob(f"*{SUFFIX}"))
    if not documents:
        raise FormatError(f"{where} must hold files *{SUFFIX}, but has none.")
    listing = Listing()
    for path in documents:
        listing.read_from(path)
        try:
            _add(listing, path, read_object(path), options=options)
        except FormatError as error:
            listing.refuse(Place(path), str(error).removeprefix(f"{path} "))
    language = LANGUAGES[options.text]
    return listing.reading(dataclasses.replace(ABOUT, spoken_language=language))


def _add(listing: Listing, path: Path, document: dict[str, Any], *, options: Options) -> None:
    name = path.name.removesuffix(SUFFIX)
    sentence = document.get("sentence")
    text = sentence.get(options.text) if isinstance(sentence, dict) else None
    if not isinstance(text, str):
        raise FormatError(f"must have a text at `sentence.{options.text}`, but has none")
    recording = path.with_name(f"{name}_{options.version}.pose")
    if not recording.is_file():
        raise FormatError(f"must go with {recording.name}, but that is missing")
    entry = Entry(
        name=name,
        split=hashed_split(str(document.get("document_id", name))),
        text=text.strip(),
        place=Place(path),
        load=partial(load_recording, recording),
        glosses=_glosses(sentence),
    )
    listing.add(entry, file=recording)


def _glosses(sentence: Any) -> tuple[str, ...]:
    listed = sentence.get("glosses")
    names = listed.get("gloss") if isinstance(listed, dict) else listed
    if names is None:
        return ()
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FormatError("must have names at `sentence.glosses.gloss`, but has something else")
    return tuple(names)
