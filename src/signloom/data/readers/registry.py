"""The readers by name; a module is imported when its reader is first asked for."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, TypeVar, runtime_checkable

from signloom.data.readers.options import parse_options
from signloom.data.readers.reading import Reader, Reading
from signloom.errors import ConfigError, FormatError

_MODULES = (
    *("folder", "phoenix14t_skels", "phoenix14t_csv", "csl", "boston104", "dgs"),
    *("lexicon", "isl13", "phoenix14_frames", "phoenix14t_frames", "csl_frames", "frames"),
)
READERS = {name.replace("_", "-"): f"signloom.data.readers.{name}" for name in _MODULES}
SPEECH_READERS = {
    name: f"signloom.data.speech.readers.{name}"
    for name in ("kaldi", "jsonl", "table", "aishell1", "magicdata")
}
"""Those of speech, which `data/speech/readers/registry.py` opens."""
CAPTION_READERS = {
    name: f"signloom.data.captions.readers.{name}" for name in ("flickr8k", "coco", "captions")
}
"""Those of captioned pictures, which `data/captions/readers/registry.py` opens."""


Listing = TypeVar("Listing", covariant=True)


@runtime_checkable
class Lister(Protocol[Listing]):
    """What the module of any reader has to list a corpus."""

    Options: type[Any]

    def read(self, folder: Path, options: Any, /) -> Listing:
        """List a corpus; raise `FormatError` when nothing can be listed."""
        ...


def find_reader(name: str) -> Reader:
    """Give the module of a reader of signing.

    Raises:
        ConfigError: No reader has that name, or one of speech or pictures.
    """
    for what, readers in (("speech", SPEECH_READERS), ("pictures", CAPTION_READERS)):
        if name in readers:
            raise ConfigError(
                f"The reader `{name}` reads {what}, to be learned from where it is: name it as "
                "`corpus.reader` of a recipe. `signloom data validate` names its faults."
            )
    module = import_reader(name, READERS)
    if not isinstance(module, Reader):
        raise TypeError(f"{READERS[name]} must have ABOUT, Options and read")
    return module


def import_reader(name: str, readers: Mapping[str, str]) -> ModuleType:
    """Give the module of a reader, of whatever kind.

    Args:
        name: Its name.
        readers: Modules by the name of their reader.

    Raises:
        ConfigError: No reader has that name.
    """
    if name not in readers:
        if name in (*READERS, *SPEECH_READERS, *CAPTION_READERS):
            raise ConfigError(
                f"The reader must be one of {', '.join(readers)}, but `{name}` reads other data."
            )
        near = difflib.get_close_matches(name, readers, n=1)
        hint = f"Did you mean `{near[0]}`?" if near else f"Known readers: {', '.join(readers)}."
        raise ConfigError(f"There is no reader `{name}`. {hint}")
    return import_module(readers[name])


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
    values, reading = list_corpus(find_reader(name), name, folder, options)
    return reading, asdict(values)


def list_corpus(
    reader: Lister[Listing], name: str, folder: Path, options: Sequence[str]
) -> tuple[Any, Listing]:
    """List a corpus, of whatever kind.

    Args:
        reader: Its reader.
        name: The reader's name.
        folder: Where the data is.
        options: `name=value`, each.

    Returns:
        The reader's options, and what it found.

    Raises:
        ConfigError: An option is unknown or does not hold.
        FormatError: There is no such folder, or the reader can list nothing in it.
    """
    values: Any = parse_options(reader.Options, options, reader=name)
    check_folder(folder)
    return values, reader.read(folder, values)


def check_folder(folder: Path) -> None:
    """Refuse data that is in no folder.

    Raises:
        FormatError: It is not there, or a file.
    """
    if not folder.is_dir():
        found = "is a file" if folder.exists() else "does not exist"
        raise FormatError(f"The data must be in a folder, but {folder} {found}.")
