"""AISHELL-1: 170 hours of read Mandarin by 400 speakers (Bu et al. 2017).

`wav/{train,dev,test}/<speaker>/<id>.wav` and `transcript/aishell_transcript_v0.8.txt`, whose lines
are `id what is said`; the folder is `data_aishell` or the one that holds it. Some hundred
recordings have no transcript, and are left out by all who use the corpus.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from signloom.data.corpora.words import SPLITS
from signloom.data.readers.reading import About, Fault, Place
from signloom.data.readers.tables import read_keyed_lines
from signloom.data.speech.readers.reading import SpeechListing, SpeechReading, SpokenEntry
from signloom.data.speech.readers.recordings import check_filled
from signloom.errors import FormatError

ABOUT = About(
    name="aishell1",
    reads="wav/{train,dev,test}/<speaker>/<id>.wav and transcript/aishell_transcript_v0.8.txt",
    licence="Apache 2.0 (AISHELL-1)",
    language="und",
    spoken_language="zh",
    kind="speech",
    notes=("recordings without a transcript are left out",),
)
TRANSCRIPT = Path("transcript", "aishell_transcript_v0.8.txt")


@dataclass(frozen=True, kw_only=True)
class Options:
    """The corpus says all itself."""


def read(folder: Path, options: Options) -> SpeechReading:
    """List the recordings that have a transcript.

    Raises:
        FormatError: The transcripts or the recordings are missing.
    """
    del options
    root = folder / "data_aishell" if (folder / "data_aishell").is_dir() else folder
    texts, faults = read_keyed_lines(root / TRANSCRIPT, noun="what is said")
    listing = SpeechListing([root / TRANSCRIPT], faults)
    paths = [
        (split, path) for split in SPLITS for path in sorted(root.glob(f"wav/{split}/*/*.wav"))
    ]
    if not paths:
        raise FormatError(f"{root} must hold wav/train/<speaker>/<id>.wav and more, but has none.")
    for split, path in paths:
        if path.stem in texts:
            _add(listing, path, *texts[path.stem], split=split)
    names = {path.stem for _, path in paths}
    for name, (place, _) in texts.items():
        if name not in names:
            listing.refuse(place, f"names {name!r}, but {root / 'wav'} has no {name}.wav")
    left = len(names - texts.keys())
    message = f"{left} recordings have no transcript and are left out"
    remarks = (Fault(Place(root / TRANSCRIPT), message),) if left else ()
    return listing.reading(ABOUT, remarks=remarks)


def _add(listing: SpeechListing, path: Path, place: Place, text: str, *, split: str) -> None:
    try:
        entry = SpokenEntry(
            name=path.stem,
            split=split,
            text=text,
            place=place,
            path=check_filled(path),
            speaker=path.parent.name,
        )
    except FormatError as error:
        listing.refuse(place, str(error))
    else:
        listing.add(entry)
