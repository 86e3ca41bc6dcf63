"""Every picture of a corpus of captions looked at once: what is there, and what is wrong with it.

A fault is something to mend: a picture that does not hold, a caption of no word, the same picture
in two splits. A remark is something to know, such as the same picture twice in one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from signloom.data.captions.readers.reading import CaptionReading, PictureEntry
from signloom.data.readers.findings import CorpusFindings, findings_of
from signloom.data.readers.reading import Fault, Place
from signloom.errors import FormatError
from signloom.features.pictures import read_picture
from signloom.tokens.ptb import ptb_tokens


def look_at(
    reading: CaptionReading, *, advance: Callable[[int], None] = lambda _: None
) -> CorpusFindings[PictureEntry]:
    """Look at every picture of a corpus and read every caption."""
    findings = findings_of(reading)
    known: dict[bytes, PictureEntry] = {}
    for entry in reading.entries:
        problems = [
            f"{entry.name!r} must say something, but of {text[:40]!r} nothing is left"
            for text in entry.captions
            if not ptb_tokens(text)
        ]
        problems += _look(entry, known, findings.remarks)
        findings.faults += [Fault(entry.place, problem) for problem in problems]
        if not problems:
            findings.seen.append(entry)
        advance(1)
    absent = sum(entry.path is None for entry in reading.entries)
    if absent:
        note = f"{absent} of {len(reading.entries)} pictures are not at hand, only their captions"
        findings.remarks.append(Fault(Place(reading.files[0]), note))
    findings.refuse_empty(reading, noun="picture")
    return findings


def _look(entry: PictureEntry, known: dict[bytes, PictureEntry], remarks: list[Fault]) -> list[str]:
    """Look at a picture; give what is wrong with it."""
    if entry.path is None:
        return []
    try:
        photo = read_picture(entry.path)
    except FormatError as error:
        return [str(error).rstrip(".")]
    remarks += [Fault(entry.place, warning) for warning in photo.warnings]
    same = known.setdefault(hashlib.sha256(photo.pixels.tobytes()).digest(), entry)
    if same is entry:
        return []
    problem = f"{entry.name!r} is the same picture as {same.name!r} of {same.place}"
    if same.split == entry.split:
        remarks.append(Fault(entry.place, problem))
        return []
    return [f"{problem}, across {same.split} and {entry.split}"]
