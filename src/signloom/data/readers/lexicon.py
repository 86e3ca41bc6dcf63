"""A lexicon in the format of `spoken-to-signed`, its signs joined to given sentences.

`index.csv` has the columns `path`, `signed_language`, `words` and `glosses` (and, if known,
`spoken_language`, `start` and `end` in milliseconds, `priority`). A text file has a sentence a
line: words or glosses, parted by spaces, or `text | GLOSS GLOSS` where both are known. A clip is
trimmed to the part in which the hands sign.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from signloom.data.corpora.clips import trim
from signloom.data.readers.joining import join
from signloom.data.readers.listing import Listing
from signloom.data.readers.reading import About, Entry, Place, Reading
from signloom.data.readers.recordings import find_recording, load_recording
from signloom.data.readers.splits import hashed_split
from signloom.data.readers.tables import Row, read_lines, read_table
from signloom.errors import ConfigError, FormatError
from signloom.poses.completion import ARMS, complete
from signloom.poses.pose import Pose
from signloom.poses.retime import resample
from signloom.poses.skeleton import LEFT_HAND, RIGHT_HAND
from signloom.tokens.cleaning import lower

ABOUT = About(
    name="lexicon",
    reads="index.csv with .pose files, as spoken-to-signed has them, and a text of sentences",
    licence="none stated",
    language="und",
    spoken_language="und",
    notes=("sentences are signs of a lexicon joined by computed transitions; nobody signed them",),
)
FPS = 25.0
KEPT_CLIPS = 512


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which sentences, of which language."""

    sentences: str = "sentences.txt"
    """The text file: its name in the folder, or its path."""
    language: str = ""
    """ISO 639-3 code of the sign language; needed where the lexicon has several."""
    licence: str = "none stated"
    """Licence of the lexicon."""
    transition_frames: int = 8
    """Frames between two signs."""

    def __post_init__(self) -> None:
        if not 0 <= self.transition_frames <= 100:
            raise ConfigError(
                f"`transition_frames` must be 0 to 100, but is {self.transition_frames}."
            )


@dataclass(frozen=True)
class Sign:
    """One row of the index.

    Attributes:
        path: Its clip.
        start: Where the sign begins in the clip, in milliseconds.
        end: Where it ends; 0 is the end of the clip.
    """

    path: Path
    start: int
    end: int


def read(folder: Path, options: Options) -> Reading:
    """List the sentences whose signs are all in the lexicon.

    Raises:
        FormatError: The index or the sentences cannot be read.
        ConfigError: The lexicon has several languages and none is chosen.
    """
    index, table = folder / "index.csv", folder / options.sentences
    rows, faults = read_table(index, ("path", "signed_language", "words", "glosses"))
    rows = _of_language(rows, options.language, index)
    listing = Listing([index, table], faults)
    signs = _signs(rows, folder, listing)
    about = dataclasses.replace(
        ABOUT,
        language=rows[0][1]["signed_language"],
        spoken_language=rows[0][1].get("spoken_language") or "und",
        licence=options.licence,
    )
    for number, line in enumerate(read_lines(table), 1):
        text, parted, listed = (part.strip() for part in line.partition("|"))
        glosses = tuple((listed if parted else text).split())
        place = Place(table, number)
        missing = [gloss for gloss in glosses if _key(gloss, about.spoken_language) not in signs]
        if missing:
            listing.refuse(place, f"{missing[0]!r} must be a sign of {index}, but is not there")
        elif glosses:
            chosen = [signs[_key(gloss, about.spoken_language)] for gloss in glosses]
            entry = Entry(
                name=f"line-{number:05d}",
                split=hashed_split(text),
                text=text,
                place=place,
                load=partial(_join, chosen, options.transition_frames),
                glosses=glosses,
            )
            listing.add(entry)
            listing.read_from(*(sign.path for sign in chosen))
    return listing.reading(about)


def _key(word: str, language: str) -> str:
    return lower(word.strip(), language)


def _of_language(rows: Sequence[Row], language: str, index: Path) -> list[Row]:
    known = sorted({fields["signed_language"] for _, fields in rows})
    if not known:
        raise FormatError(f"{index} must list at least one sign, but lists none.")
    if not language and len(known) > 1:
        raise ConfigError(
            f"{index} has the languages {', '.join(known)}. Choose one with --set language=CODE."
        )
    if language and language not in known:
        raise ConfigError(
            f"`language` must be one of {', '.join(known)}, as {index} has, but is `{language}`."
        )
    return [row for row in rows if row[1]["signed_language"] == (language or known[0])]


def _signs(rows: Sequence[Row], folder: Path, listing: Listing) -> dict[str, Sign]:
    """Give the sign of each word and gloss: the one of the lowest priority, the first of equals."""
    ranked: list[tuple[int, Row, Sign]] = []
    for place, fields in rows:
        try:
            start, end, priority = (
                int(fields.get(name) or 0) for name in ("start", "end", "priority")
            )
            sign = Sign(find_recording(folder, fields["path"]), start, end)
        except ValueError as error:
            listing.refuse(place, f"start, end and priority must be whole numbers: {error}")
        except FormatError as error:
            listing.refuse(place, str(error))
        else:
            ranked.append((priority, (place, fields), sign))
    ranked.sort(key=lambda item: item[0])
    signs: dict[str, Sign] = {}
    for _, (_, fields), sign in ranked:
        for name in (fields["words"], fields["glosses"]):
            signs.setdefault(_key(name, fields.get("spoken_language") or "und"), sign)
    return signs


@lru_cache(maxsize=KEPT_CLIPS)
def _load(sign: Sign) -> Pose:
    """Read a sign at 25 fps and cut what leads to and from it."""
    pose = load_recording(sign.path)
    start = round(sign.start * pose.fps / 1000)
    end = round(sign.end * pose.fps / 1000) or pose.num_frames
    if not 0 <= start < min(end, pose.num_frames):
        raise FormatError(
            f"{sign.path} has {pose.num_frames} frames, but its sign lies at {start} to {end}."
        )
    pose = resample(pose[start:end], FPS)
    seen = tuple(bool(pose.confidence[:, hand].mean() > 0.5) for hand in (RIGHT_HAND, LEFT_HAND))
    frames = complete(pose).frames.astype(np.float64)
    for _, _, wrist, hand in ARMS:
        frames[:, hand] -= frames[:, wrist, None]
    return pose[trim(frames, seen)]


def _join(signs: Sequence[Sign], transition_frames: int) -> Pose:
    return join([_load(sign) for sign in signs], transition_frames=transition_frames)
