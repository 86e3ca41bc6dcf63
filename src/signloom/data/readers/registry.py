"""The readers by name; a module is imported when its reader is first asked for."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from signloom.data.readers.options import parse_options
from signloom.data.readers.reading import Reader, Reading
from signloom.errors import ConfigError, FormatError

_MODULES = (
    *("folder", "phoenix14t_skels", "phoenix14t_csv", "csl", "boston104", "dgs"),
    *("lexicon", "isl13", "phoenix14_frames", "phoenix14t_frames", "csl_frames", "frames"),
)
READERS = {name.replace("_", "-"): f"signloom.data.readers.{name}" for name in _MODULES}


def find_reader(name: str) -> Reader:
    """Give the module of a reader.

    Raises:
        ConfigError: No reader has that name.
    """
    if name not in READERS:
        near = difflib.get_close_matches(name, READERS, n=1)
        hint = f"Did you mean `{near[0]}`?" if near else f"Known readers: {', '.join(READERS)}."
        raise ConfigError(f"There is no reader `{name}`. {hint}")
    module = import_module(READERS[name])
    if not isinstance(module, Reader):
        raise TypeError(f"{READERS[name]} must have ABOUT, Options and read")
    return module


def open_reading(
    name: str, folder: Path, options: Sequence[str] = ()
) -> tuple[Reading, dict[str, Any]]:
    """List a corpus.

    Args:
        name: Name of its reader.
        folder: Where the data is.
        options: `name=value`, each.

    Returns:
        What the reader found, and the options with those that kept their defaults.

    Raises:
        ConfigError: The reader or an option is unknown or does not hold.
        FormatError: There is no such folder, or the reader can list nothing in it.
    """
    reader = find_reader(name)
    values: Any = parse_options(reader.Options, options, reader=name)
    if not folder.is_dir():
        found = "is a file" if folder.exists() else "does not exist"
        raise FormatError(f"The data must be in a folder, but {folder} {found}.")
    return reader.read(folder, values), asdict(values)
