"""A test set of a user's own files: what a translator reads, and what it should write."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from signloom.data.corpora import feature_files, parallel_text
from signloom.data.pair import Pair
from signloom.errors import ConfigError, FormatError
from signloom.runtime.translate_settings import TranslateSettings


def read_held_out(
    source: Path, target: Path | None, *, settings: TranslateSettings, name: str
) -> list[Pair]:
    """Read a test set.

    Args:
        source: Lines of glosses; or a file of features that holds its sentences.
        target: Lines of sentences, one for each line of glosses; of features None.
        settings: What the translator reads.
        name: What messages call the translator.

    Raises:
        FormatError: A file is not what its format promises, or a source is empty or longer than
            what the translator reads.
        ConfigError: There is a file too many or too few.
    """
    if settings.source == "glosses":
        if target is None:
            raise ConfigError(
                f"{name} reads glosses, whose sentences must come in a file of their own, "
                "but there is none. Add --target FILE."
            )
        pairs = parallel_text.read_pairs(source, target, name=str(source))
    else:
        if target is not None:
            raise ConfigError(
                f"{name} reads features, whose file must hold the sentences itself, "
                f"but there is {target}, too. Leave --target out."
            )
        pairs = feature_files.read_pairs(source)
    if not pairs:
        raise FormatError(f"{source} must have at least one line, but is empty.")
    for pair in pairs:
        if not 1 <= pair.length <= settings.max_source:
            raise FormatError(
                f"{pair.name[:200]} must have 1 to {settings.max_source} tokens or frames, the "
                f"most that {name} has learned to read, but has {pair.length}."
            )
    return pairs


def fingerprint(pairs: Sequence[Pair]) -> str:
    """Give eight characters that two test sets share only if they are the same."""
    return digest_parts(part for pair in pairs for part in _parts_of(pair))


def digest_parts(parts: Iterable[bytes]) -> str:
    """Give eight characters of a hash of parts, which are told apart by their lengths."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:8]


def _parts_of(pair: Pair) -> tuple[bytes, ...]:
    source = pair.source
    read = " ".join(source).encode() if isinstance(source, tuple) else _bytes(source)
    return read, pair.start.encode(), " ".join(pair.tokens).encode()


def _bytes(features: object) -> bytes:
    return np.ascontiguousarray(features, dtype="<f4").tobytes()
