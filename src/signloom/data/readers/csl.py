"""CSL: 100 Chinese sentences, recorded again and again; poses from elsewhere.

A text file has a line `<id> <sentence>` for each sentence. Recordings are `.pose` or `.skels` files
in a folder that is called by the id, or files whose name begins with it; in either case the name
may hold the signer, as `P01` in `000000/P01_s1_00_0.pose`. 70 % of the sentences are for training,
15 % each for dev and test, exactly and by a hash of the id: no sentence is in two splits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from signloom.data.corpora.words import SPLITS, stable_hash
from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Reading
from signloom.data.readers.recordings import SUFFIXES, load_recording
from signloom.data.readers.tables import KeyedLines, read_keyed_lines

ABOUT = About(
    name="csl",
    reads="a text file of lines `id sentence` and .pose or .skels files by id",
    licence="research only (USTC CSL)",
    language="csl",
    spoken_language="zh",
    notes=("split by sentence, 70/15/15, by a hash of its id",),
)
PERCENT = (70, 85)
_SIGNER = re.compile(r"(?:^|_)(P\d+)(?:_|$)")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Where the sentences are, and whose."""

    sentences: str = "corpus.txt"
    """Name of the text file in the folder."""
    signer: str = ""
    """Recordings of this signer only, such as `P01`; by default of all."""


def read(folder: Path, options: Options) -> Reading:
    """List the recordings of each sentence.

    Raises:
        FormatError: The text file cannot be read.
    """
    table = folder / options.sentences
    listing = Listing([table])
    sentences, faults = read_keyed_lines(table)
    listing.refuse_all(faults)
    recordings = _recordings(folder, sentences, signer=options.signer)
    splits = share_out(sentences)
    for name, (place, text) in sentences.items():
        if not recordings[name]:
            whose = f" of {options.signer}" if options.signer else ""
            listing.refuse(place, f"names {name!r}, but {folder} has no recording{whose} of it")
        for path in recordings[name]:
            entry = Entry(
                name=path.relative_to(folder).with_suffix("").as_posix(),
                split=splits[name],
                text=text,
                place=place,
                load=partial(load_recording, path),
                signer=signer_of(path),
            )
            listing.add(entry, file=path)
    return listing.reading(ABOUT)


def share_out(names: KeyedLines) -> dict[str, str]:
    """Give each sentence a split, so that the shares hold exactly."""
    ranked = sorted(names, key=lambda name: (stable_hash(name), name))
    edges = [0, *(round(len(ranked) * percent / 100) for percent in PERCENT), len(ranked)]
    return {
        name: split
        for split, start, end in zip(SPLITS, edges, edges[1:], strict=False)
        for name in ranked[start:end]
    }


def _recordings(folder: Path, sentences: KeyedLines, *, signer: str) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {name: [] for name in sentences}
    for path in sorted(folder.rglob("*")):
        parent, start = path.parent.name, path.stem.split("_")[0]
        name = parent if parent in found else start
        wanted = not signer or signer_of(path) == signer
        if path.suffix.lower() in SUFFIXES and name in found and wanted and path.is_file():
            found[name].append(path)
    return found


def signer_of(path: Path) -> str:
    """Give the signer in the name of a recording; nothing where there is none."""
    match = _SIGNER.search(path.stem)
    return match[1] if match else ""
