"""How long listed utterances are, by their list, their place in a recording, or its header."""

from __future__ import annotations

from pathlib import Path

from signloom.data.speech.readers.reading import SpokenEntry
from signloom.errors import FormatError
from signloom.features.sound import sound_length_s


class Lengths:
    """Measures utterances; a recording of several is measured once."""

    def __init__(self) -> None:
        self._recordings: dict[Path, float] = {}

    def measure(self, entry: SpokenEntry) -> float:
        """Give the length of an utterance, in seconds.

        Raises:
            FormatError: Its recording cannot be read, or ends before it begins.
        """
        if entry.end_s is not None:
            return entry.end_s - entry.start_s
        if entry.duration_s is not None:
            return entry.duration_s
        if entry.path not in self._recordings:
            self._recordings[entry.path] = sound_length_s(entry.path)
        whole_s = self._recordings[entry.path]
        if whole_s <= entry.start_s:
            raise FormatError(f"begins at {entry.start_s:g} s, but {entry.path} has {whole_s:.2f}")
        return whole_s - entry.start_s
