"""The readers of captions by name; a module is imported when its reader is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from signloom.data.captions.readers.reading import CaptionReader, CaptionReading
from signloom.data.readers.options import parse_options
from signloom.data.readers.registry import CAPTION_READERS, check_folder, import_reader


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
    reader = find_caption_reader(name)
    values: Any = parse_options(reader.Options, options, reader=name)
    check_folder(folder)
    return reader.read(folder, values)
