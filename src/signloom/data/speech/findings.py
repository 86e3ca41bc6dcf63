"""Every utterance of a speech corpus listened to once: what is there, and what is wrong with it.

A fault is something to mend: a recording that does not hold or is silent, a length that is not what
the list says, the same sound twice. A remark is something to know: damage, characters of dev and
test that training lacks, texts of training that occur there, too.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from signloom.data.readers.findings import CorpusFindings, findings_of
from signloom.data.readers.reading import Fault, Place
from signloom.data.speech.readers.reading import SpeechReading, SpokenEntry
from signloom.errors import FormatError
from signloom.features.sound import sound_blocks
from signloom.tokens.words import split_words

Advance = Callable[[int], None]
_SLACK_S = 0.1
_NAMED = 20


@dataclass(frozen=True)
class _Heard:
    """A recording: how long it is, its sound as a hash, and what is wrong with it."""

    length_s: float = 0.0
    digest: str = ""
    warnings: tuple[str, ...] = ()
    fault: str = ""


def listen_to(
    reading: SpeechReading, *, advance: Advance = lambda _: None
) -> CorpusFindings[SpokenEntry]:
    """Hear every recording of a corpus."""
    findings = findings_of(reading)
    heard: dict[Path, _Heard] = {}
    for entry in reading.entries:
        if entry.path not in heard:
            heard[entry.path] = _hear(entry.path)
            findings.remarks += [Fault(entry.place, text) for text in heard[entry.path].warnings]
        problem = _problem(entry, heard[entry.path])
        if problem:
            findings.faults.append(Fault(entry.place, problem))
        else:
            findings.seen.append(entry)
        advance(1)
    findings.refuse_empty(reading, noun="utterance")
    findings.faults += _repeated(findings.seen, heard)
    for split in ("dev", "test"):
        findings.remarks += _compared(reading, split)
    return findings


def _hear(path: Path) -> _Heard:
    digest, count, is_silent = hashlib.sha256(), 0, True
    try:
        sound = sound_blocks(path, rate=None)
        for block in sound:
            digest.update(block.tobytes())
            count += len(block)
            is_silent = is_silent and not block.any()
    except FormatError as error:
        return _Heard(fault=str(error).rstrip("."))
    fault = f"{path} must hold sound, but is silent throughout" if is_silent else ""
    return _Heard(count / sound.rate, digest.hexdigest(), tuple(sound.warnings), fault)


def _problem(entry: SpokenEntry, heard: _Heard) -> str:
    """Say what is wrong with an utterance; nothing if it holds."""
    if heard.fault:
        return heard.fault
    if not split_words(entry.text, spoken_language="und"):
        return f"must say something, but of {entry.text[:40]!r} nothing is left"
    end_s = heard.length_s if entry.end_s is None else entry.end_s
    if end_s > heard.length_s + _SLACK_S or entry.start_s >= end_s:
        return (
            f"{entry.name!r} goes from {entry.start_s:g} to {end_s:g} s, but {entry.path} has "
            f"{heard.length_s:.2f}"
        )
    told_s = entry.duration_s
    if told_s is not None and abs(told_s - end_s + entry.start_s) > max(_SLACK_S, 0.05 * told_s):
        return f"{entry.name!r} must have {told_s:g} s, but has {end_s - entry.start_s:.2f}"
    return ""


def _repeated(seen: Sequence[SpokenEntry], heard: dict[Path, _Heard]) -> list[Fault]:
    faults = []
    sounds: dict[tuple[str, float, float | None], SpokenEntry] = {}
    for entry in seen:
        key = (heard[entry.path].digest, entry.start_s, entry.end_s)
        same = sounds.setdefault(key, entry)
        if same is not entry:
            across = f", across {same.split} and {entry.split}" if same.split != entry.split else ""
            message = f"{entry.name!r} has the same sound as {same.name!r} of {same.place}{across}"
            faults.append(Fault(entry.place, message))
    return faults


def _compared(reading: SpeechReading, split: str) -> list[Fault]:
    """Compare what is said in a split with what is said in training."""
    train = [entry.text for entry in reading.entries if entry.split == "train"]
    texts = [entry.text for entry in reading.entries if entry.split == split]
    known = _characters(train)
    unknown = Counter(
        {each: count for each, count in _characters(texts).items() if each not in known}
    )
    remarks = []
    if unknown:
        named = ", ".join(f"{each} ({count})" for each, count in unknown.most_common(_NAMED))
        more = ", ..." * (len(unknown) > _NAMED)
        remarks.append(f"{split} has {len(unknown)} characters that train lacks: {named}{more}")
    learned = set(train)
    same = sum(text in learned for text in texts)
    if same:
        remarks.append(f"{same} of {len(texts)} texts of {split} occur in train, too")
    place = Place(reading.files[0])
    return [Fault(place, remark) for remark in remarks]


def _characters(texts: Sequence[str]) -> Counter[str]:
    return Counter(
        letter
        for text in texts
        for word in split_words(text, spoken_language="und")
        for letter in word
    )
