"""The utterances that a speech reader lists, tokenised, measured and ready to be read."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from signloom.data.corpora.words import SPLITS
from signloom.data.readers.reading import About, Fault, refuse_faults
from signloom.data.speech.readers.lengths import Lengths
from signloom.data.speech.readers.reading import SpokenEntry
from signloom.data.speech.readers.registry import open_speech
from signloom.data.speech.utterance import Utterance
from signloom.errors import ConfigError, FormatError
from signloom.features.sound import read_span, sound_blocks
from signloom.tokens.transcripts import SpokenUnit, split_transcript

_log = logging.getLogger(__name__)


def list_recorded(
    reader: str,
    folder: Path,
    options: Sequence[str] = (),
    *,
    spoken_language: str,
    unit: SpokenUnit,
    rate: int,
    splits: Sequence[str] = SPLITS,
) -> tuple[About, dict[str, list[Utterance]]]:
    """List a corpus by split, whatever tokens a model knows.

    Args:
        reader: Name of the speech reader.
        folder: Where the data is.
        options: Of the reader, `name=value` each.
        spoken_language: ISO 639-1 code of what is said.
        unit: What a token is.
        rate: Samples a second that sound is brought to.
        splits: Which to list; the sound of the others need not be there.

    Raises:
        ConfigError: The reader or an option does not hold, or the corpus is of another language.
        FormatError: The reader can list nothing, or an utterance does not hold.
    """
    reading = open_speech(reader, folder, options)
    refuse_faults(reading, folder)
    if reading.about.spoken_language not in ("und", spoken_language):
        raise ConfigError(
            f"`corpus.spoken_language` must be {reading.about.spoken_language} for {reader}, "
            f"but is {spoken_language!r}."
        )
    found: dict[str, list[Utterance]] = {split: [] for split in splits}
    faults: list[Fault] = []
    lengths = Lengths()
    entries = [entry for entry in reading.entries if entry.split in found]
    for entry in entries:
        tokens = split_transcript(entry.text, unit=unit, spoken_language=spoken_language)
        try:
            found[entry.split].append(_utterance(entry, tokens, lengths, rate=rate))
        except FormatError as error:
            faults.append(Fault(entry.place, str(error).rstrip(".")))
    refuse_faults(replace(reading, faults=tuple(faults)), folder)
    for entry in entries[:1]:
        for warning in sound_blocks(entry.path, rate=rate).warnings:
            _log.warning("%s", warning)
    return reading.about, found


def _utterance(
    entry: SpokenEntry, tokens: tuple[str, ...], lengths: Lengths, *, rate: int
) -> Utterance:
    if not tokens:
        raise FormatError(f"must say something, but of {entry.text[:40]!r} nothing is left")
    return Utterance(
        name=entry.name,
        text=entry.text,
        tokens=tokens,
        read=partial(read_span, entry.path, rate=rate, start_s=entry.start_s, end_s=entry.end_s),
        duration_s=lengths.measure(entry),
        speaker=entry.speaker,
    )
