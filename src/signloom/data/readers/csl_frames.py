"""CSL: the films of 100 Chinese sentences, each recorded again and again by many signers.

`corpus.txt` has a line `<id> <sentence>` for each sentence. In the folder of an id are its films,
folders of pictures or videos, whose names hold the signer: `000000/P01_s1_00_0`. The field tests on
signers that were not learned from (split I: P41 and up) or on sentences that were not.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from signloom.data.readers import csl
from signloom.data.readers.films import FilmOptions, find_film
from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Place, Reading
from signloom.data.readers.recordings import check_inside
from signloom.data.readers.splits import SPLIT_NAMES
from signloom.data.readers.tables import KeyedLines, read_keyed_lines, read_lines
from signloom.errors import ConfigError, FormatError
from signloom.pipelines.extraction import is_video

ABOUT = About(
    name="csl-frames",
    reads="CSL: a text file of lines `id sentence`, and folders of pictures or videos by id",
    licence="research only (USTC CSL)",
    language="csl",
    spoken_language="zh",
    notes=("the glosses of a sentence are its words, or its characters where none are parted",),
)
FIRST_TEST_SIGNER = 41
SPLITS_BY = ("signers", "sentences")


@dataclass(frozen=True, kw_only=True)
class Options(FilmOptions):
    """Where the sentences and their films are, and which are tested."""

    sentences: str = "corpus.txt"
    """Name of the text file in the folder."""
    films: str = ""
    """Folder of the ids, seen from that of the corpus; by default the same folder."""
    split: str = "signers"
    """`signers` tests P41 and up, `sentences` 15 % of the sentences; or a file in the folder whose
    lines read `name|split`, where a name is that of a film or of a sentence."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.split:
            raise ConfigError(f"`split` must be {' or '.join(SPLITS_BY)} or a file, but is empty.")


def read(folder: Path, options: Options) -> Reading:
    """List the films of each sentence.

    Raises:
        FormatError: The text file or that of the splits cannot be read.
    """
    listing = Listing([folder / options.sentences])
    sentences, faults = read_keyed_lines(folder / options.sentences)
    listing.refuse_all(faults)
    splits = _splits(listing, folder, options, sentences=sentences)
    films = folder / options.films
    for name, (place, text) in sentences.items():
        found = _list_films(films, name)
        if not found:
            listing.refuse(place, f"names {name!r}, but {films} has no film of it")
        for film in found:
            sentence = place, text
            _add(listing, folder, film, options=options, sentence=sentence, splits=splits)
    return listing.reading(ABOUT)


def _add(
    listing: Listing,
    folder: Path,
    name: str,
    *,
    options: Options,
    sentence: tuple[Place, str],
    splits: dict[str, str],
) -> None:
    place, text = sentence
    keys = (signer := csl.signer_of(Path(name)), name.split("/")[0], Path(name).stem)
    split = next((splits[key] for key in reversed(keys) if key in splits), None)
    try:
        if split is None:
            raise FormatError(f"must have a split for {name!r}, but `{options.split}` says none")
        film = find_film(folder, name, films=folder / options.films, options=options)
    except FormatError as error:
        listing.refuse(place, str(error))
        return
    entry = Entry(
        name=name,
        split=split,
        text=text,
        place=place,
        load=film.pose,
        glosses=tuple(text.split() if " " in text else text),
        signer=signer,
        pictures=film.pictures,
        has_poses=film.has_poses,
    )
    listing.add(entry, file=film.recording)


def _list_films(films: Path, sentence: str) -> list[str]:
    """Give the folders and videos in the folder of a sentence; `sentence/film`, each."""
    try:
        check_inside(films, sentence)
        found = sorted((films / sentence).iterdir())
    except (FormatError, OSError):
        return []
    return [f"{sentence}/{path.name}" for path in found if path.is_dir() or is_video(path)]


def _splits(
    listing: Listing, folder: Path, options: Options, *, sentences: KeyedLines
) -> dict[str, str]:
    """Give the split of each signer, sentence or film, as the options have it."""
    if options.split == "signers":
        numbers = range(1, 1000)
        return {f"P{one:02d}": "test" if one >= FIRST_TEST_SIGNER else "train" for one in numbers}
    if options.split == "sentences":
        return csl.share_out(sentences)
    path = folder / options.split
    listing.read_from(path)
    splits: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), 1):
        name, _, split = (part.strip() for part in line.partition("|"))
        if split.lower() in SPLIT_NAMES:
            splits[Path(name).stem] = SPLIT_NAMES[split.lower()]
        else:
            listing.refuse(Place(path, number), f"must read `name|split`, but reads {line[:40]!r}")
    return splits
