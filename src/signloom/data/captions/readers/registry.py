"""The readers of captions by name; a module is imported when its reader is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from signloom.data.captions.readers.reading import CaptionReader, CaptionReading
from signloom.data.readers.registry import CAPTION_READERS, import_reader, list_corpus


def find_caption_reader(name: str) -> CaptionReader:
    """Give the module of a reader of captions.

    Raises:
        ConfigError: No reader of captions has that name.
    """
    module = import_reader(name, CAPTION_READERS)
    if not isinstance(module, CaptionReader):
        raise TypeError(f"{CAPTION_READERS[name]} must have ABOUT, Options and read")
    return module


def open_captions(name: str, folder: Path, options: Sequence[str] = ()) -> CaptionReading:
    """List a corpus of captioned pictures.

    Args:
        name: Name of its reader.
        folder: Where the data is.
        options: `name=value`, each.

    Raises:
        ConfigError: The reader or an option is unknown or does not hold.
        FormatError: There is no such folder, or the reader can list nothing in it.
    """
    _, reading = list_corpus(find_caption_reader(name), name, folder, options)
    return reading
