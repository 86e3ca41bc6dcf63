"""The speech readers by name; a module is imported when its reader is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from signloom.data.readers.registry import SPEECH_READERS, import_reader, list_corpus
from signloom.data.speech.readers.reading import SpeechReader, SpeechReading


def find_speech_reader(name: str) -> SpeechReader:
    """Give the module of a speech reader.

    Raises:
        ConfigError: No speech reader has that name.
    """
    module = import_reader(name, SPEECH_READERS)
    if not isinstance(module, SpeechReader):
        raise TypeError(f"{SPEECH_READERS[name]} must have ABOUT, Options and read")
    return module


def open_speech(name: str, folder: Path, options: Sequence[str] = ()) -> SpeechReading:
    """List a corpus of speech.

    Args:
        name: Name of its reader.
        folder: Where the data is.
        options: `name=value`, each.

    Raises:
        ConfigError: The reader or an option is unknown or does not hold.
        FormatError: There is no such folder, or the reader can list nothing in it.
    """
    _, reading = list_corpus(find_speech_reader(name), name, folder, options)
    return reading
