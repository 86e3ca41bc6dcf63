"""Files of what translators read: signing, features, and lines of glosses.

The suffix says what a file holds; one of an unknown suffix is taken for what the model reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import starmap
from pathlib import Path
from typing import NamedTuple

from signloom.errors import ConfigError, FormatError
from signloom.features.sequences import read_sequences
from signloom.pipelines import signing
from signloom.pipelines.extraction import Camera
from signloom.pipelines.signing import SigningReader, only_one
from signloom.pipelines.translation_input import Source, refuse_other_source
from signloom.poses.formats.plain import read_plain
from signloom.runtime.translate_settings import TranslateSettings

MAX_TEXT_BYTES = 64 * 2**20
SUFFIXES = {
    "poses": signing.SUFFIXES,
    "features": (".npy", ".npz", ".gz", ".gzip", ".pkl", ".pickle"),
    "glosses": (".txt", ".gloss"),
}


class Item(NamedTuple):
    """One source of a file.

    Attributes:
        name: The file; of one that holds several, a colon and which of them follows.
        source: What it is.
    """

    name: str
    source: Source


def read_sources(
    source: Path | Camera,
    settings: TranslateSettings,
    *,
    reader: SigningReader | None = None,
    advance: Callable[[int], None] | None = None,
) -> Iterator[Item]:
    """Read every source of a file, one after another where the format allows it.

    Args:
        source: The file, a folder of pictures, or a camera.
        settings: What the model is.
        reader: Reads signing for it; by default a new one.
        advance: Told of every frame of a film.

    Raises:
        ConfigError: The file holds something that the model does not read.
        FormatError: The file is missing or not what it promises.
    """
    path = Path(str(source))
    kind = "poses" if signing.is_film(source) else kind_of(path)
    if kind is not None:
        refuse_other_source(settings, kind, what=str(source))
    if settings.source == "poses":
        reader = reader or SigningReader(fps=settings.fps)
        yield from starmap(Item, reader.read(source, advance=advance))
    elif settings.source == "features":
        sequences = read_sequences(path)
        for sequence in sequences:
            alone = len(sequences) == 1
            yield Item(str(path) if alone else f"{path}:{sequence.name}", sequence.features)
    else:
        yield from gloss_lines(_read_text(path), str(path))


def read_one(
    source: Path | Camera, settings: TranslateSettings, *, reader: SigningReader | None = None
) -> Source:
    """Read the one source of a file.

    Raises:
        ConfigError: As `read_sources`.
        FormatError: As `read_sources`, or the file holds several.
    """
    return only_one(read_sources(source, settings, reader=reader), source).source


def gloss_lines(data: bytes, name: str) -> Iterator[Item]:
    """Give the lines that hold glosses, named by their numbers from 1.

    Args:
        data: The text, UTF-8.
        name: What messages call it.

    Raises:
        FormatError: It is no UTF-8, or holds no gloss.
    """
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} must be UTF-8 text, but is not: {error.reason}.") from error
    found = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise FormatError(f"{name} must hold at least one line of glosses, but is empty.")
    for number, line in found:
        yield Item(name if len(found) == 1 else f"{name}:{number}", line)


def kind_of(path: Path) -> str | None:
    """Say what a file holds by its suffix: `poses`, `features` or `glosses`; None if unknown.

    Example:
        >>> kind_of(Path("x.pose")), kind_of(Path("phoenix14t.pami0.test"))
        ('poses', None)
    """
    suffix = path.suffix.lower()
    return next((kind for kind, suffixes in SUFFIXES.items() if suffix in suffixes), None)


def find_files(folder: Path, settings: TranslateSettings) -> list[Path]:
    """List what a folder and its folders hold of what a model reads, by name.

    Args:
        folder: The folder. What begins with a dot is left out.
        settings: What the model is.

    Raises:
        ConfigError: There is no such file.
    """
    if settings.source == "poses":
        return signing.find_recordings(folder)
    found = signing.find(folder, SUFFIXES[settings.source])
    if not found:
        raise ConfigError(
            f"{folder} must hold {settings.source} ({' '.join(SUFFIXES[settings.source])}), "
            "but holds none."
        )
    return found


def _read_text(path: Path) -> bytes:
    try:
        return read_plain(path, most=MAX_TEXT_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{str(path)[:200]} cannot be read: {reason}.") from error
