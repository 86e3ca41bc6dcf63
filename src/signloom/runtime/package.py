"""Model packages: a trained model as one folder of files that need no code to be read.

    encoder.onnx, step.onnx …   the graphs; which ones, the system decides
    config.json                 format version, name, system and everything a pipeline must know
    vocabulary.json             {"tokens": [...]}: a token's id is its place in the list; perhaps
                                "source" tokens and "ngrams"
    weights.bin                 large tensors of the graphs, where they are not in them
    card.md                     data, licence, figures, the command that made it, what it is not
    checksums.json              {file name: SHA-256} of every other file

Reading never unpickles and never follows a link. Graphs are kept as the very bytes that were
checked, so nothing can change between the check and the use.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from signloom.errors import PackageError
from signloom.runtime.checksums import (
    CHECKSUMS_FILE,
    TEXT_FILES,
    WEIGHTS_FILE,
    check_names,
    holds_only_package_files,
    listing,
    package_id,
    read_verified,
)
from signloom.runtime.registry import find_package

FORMAT_VERSION = 1
PRINTED = ("kind", "language", "spoken_language")
_PRINTED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
SYSTEMS = ("produce", "translate", "recognize", "caption", "transcribe")


@dataclass(frozen=True, kw_only=True)
class Package:
    """A model package, read and verified."""

    path: Path
    """Folder it was read from."""
    id: str
    """SHA-256 of the canonical listing of checksums: equal ids mean equal packages."""
    config: Mapping[str, Any]
    """Content of `config.json`; `name` and `system` are there for certain, and the name, kind and
    languages are safe to print."""
    vocabulary: tuple[str, ...]
    """Tokens by id; id 0 is padding."""
    source_vocabulary: tuple[str, ...] = ()
    """Tokens of the source by id, of a package that has a vocabulary of its own for it."""
    ngrams: Any = field(default=None, repr=False)
    """What the vocabulary says of n-grams, as it stands there; `search.ngram` checks it."""
    card: str
    """Content of `card.md`, Markdown."""
    graphs: Mapping[str, bytes] = field(repr=False)
    """Serialised ONNX graphs by name without suffix."""
    weights: bytes | None = field(default=None, repr=False)
    """Content of `weights.bin`, for `signloom.runtime.weights` to read; None if there is none."""

    @property
    def name(self) -> str:
        """Name that the package gives itself."""
        return str(self.config["name"])

    @property
    def system(self) -> str:
        """Which of the five systems it is a model of."""
        return str(self.config["system"])

    @property
    def num_bytes(self) -> int:
        """Bytes of its graphs and weights."""
        return sum(map(len, self.graphs.values())) + len(self.weights or b"")

    def graph(self, name: str) -> bytes:
        """Return one serialised graph.

        Raises:
            PackageError: The package has no such graph.
        """
        if name not in self.graphs:
            raise PackageError(f"The model package {self.path} must hold `{name}.onnx`.")
        return self.graphs[name]


def load_package(name_or_dir: str | Path) -> Package:
    """Read and verify a model package.

    Args:
        name_or_dir: A name that `signloom models list` shows, or a folder.

    Raises:
        PackageError: It is unknown, incomplete, altered, or of another format version.
    """
    folder = find_package(name_or_dir)
    contents, sums = read_verified(folder)
    config = _parse_config(contents["config.json"], folder / "config.json")
    vocabulary = _parse_object(contents["vocabulary.json"], folder / "vocabulary.json")
    return Package(
        path=folder,
        id=package_id(sums),
        config=config,
        vocabulary=_parse_tokens(vocabulary, "tokens", folder),
        source_vocabulary=_parse_tokens(vocabulary, "source", folder)
        if "source" in vocabulary
        else (),
        ngrams=vocabulary.get("ngrams"),
        card=_parse_card(contents["card.md"], folder / "card.md"),
        graphs={
            name.removesuffix(".onnx"): data
            for name, data in contents.items()
            if name not in (*TEXT_FILES, WEIGHTS_FILE)
        },
        weights=contents.get(WEIGHTS_FILE),
    )


def write_package(
    folder: Path,
    *,
    graphs: Mapping[str, bytes],
    config: Mapping[str, Any],
    vocabulary: Mapping[str, Any],
    card: str,
    weights: bytes | None = None,
    overwrite: bool = False,
) -> Package:
    """Write a model package all at once: it is there, whole and readable, or not at all.

    Args:
        folder: Where it goes; its parents are made.
        graphs: Serialised ONNX graphs by name, with or without the suffix.
        config: What `config.json` shall hold; `format_version` is filled in.
        vocabulary: `{"tokens": [...]}`, with `"source"` where the source has one of its own, and
            `"ngrams"` as `search.ngram.count` gives them where there is a language model.
        card: What `card.md` shall hold.
        weights: What `weights.bin` shall hold, if there shall be one.
        overwrite: Replace a package that lies there already.

    Returns:
        The package, read back.

    Raises:
        PackageError: The content makes no package, or something lies there already.
    """
    contents = {f"{name.removesuffix('.onnx')}.onnx": data for name, data in graphs.items()}
    contents["config.json"] = _to_json({"format_version": FORMAT_VERSION, **config})
    contents["vocabulary.json"] = _to_json(vocabulary)
    contents["card.md"] = card.encode()
    if weights is not None:
        contents[WEIGHTS_FILE] = weights
    check_names(set(contents), where="the content given")
    try:
        taken = folder.exists() and not (overwrite and holds_only_package_files(folder))
    except OSError as error:
        raise PackageError(f"{folder} cannot be written: {error.strerror}.") from error
    if taken:
        raise PackageError(
            f"The folder {folder} exists already. Remove it, choose another, or ask to overwrite "
            "where it is a package and holds nothing else."
        )
    _write_whole(contents, folder)
    return load_package(folder)


def _write_whole(contents: Mapping[str, bytes], folder: Path) -> None:
    """Write beside the place, check, then move there."""
    import shutil  # here, because reading needs neither
    import tempfile

    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            staged = _stage(contents, scratch / "new")
            load_package(staged)
            _put(staged, folder, aside=scratch / "old")
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        raise PackageError(f"{folder} cannot be written: {error.strerror}.") from error
    except ValueError as error:  # a NUL in the path
        raise PackageError(f"{str(folder)!r} cannot be written: {error}.") from error


def _stage(contents: Mapping[str, bytes], folder: Path) -> Path:
    folder.mkdir(mode=0o755)
    listed = {**contents, CHECKSUMS_FILE: _to_json(listing(contents))}
    for name, data in listed.items():
        with (folder / name).open("wb") as file:
            file.write(data)
            os.fsync(file.fileno())
    return folder


def _put(staged: Path, folder: Path, *, aside: Path) -> None:
    """Move a folder to its place; what lies there comes back if that fails."""
    if folder.exists():
        folder.rename(aside)
    try:
        staged.rename(folder)
    except OSError:
        if aside.exists():
            aside.rename(folder)
        raise


def _to_json(content: Mapping[str, Any]) -> bytes:
    try:
        return (json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()
    except (ValueError, RecursionError) as error:  # NaN, half a character, a nest without end
        raise PackageError(
            f"What a package says must be JSON in UTF-8, but is not: {error}. Take out what it "
            "says beside what is needed."
        ) from error


def _decode(data: bytes, path: Path) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise PackageError(f"{path} must be UTF-8 text, but is not: {error}.") from error


def _parse_object(data: bytes, path: Path) -> dict[str, Any]:
    try:
        content = json.loads(_decode(data, path))
    except (ValueError, RecursionError) as error:
        raise PackageError(f"{path} must be JSON, but is not: {error}.") from error
    if not isinstance(content, dict):
        raise PackageError(f"{path} must hold a JSON object, but holds a {type(content).__name__}.")
    return content


def _parse_config(data: bytes, path: Path) -> dict[str, Any]:
    config = _parse_object(data, path)
    version = config.get("format_version")
    if version != FORMAT_VERSION or isinstance(version, bool):
        raise PackageError(
            f"`format_version` in {path} must be {FORMAT_VERSION}, but is {str(version)[:60]}. Use "
            "the release of signloom that the package was made for."
        )
    for key in ("name", *(key for key in PRINTED if key in config)):
        value = config.get(key)
        if not is_printed(value):
            raise PackageError(
                f"`{key}` in {path} must be at most 100 of the characters A-Z a-z 0-9 . _ - and "
                f"start with a letter or digit, but is {str(value)[:60]!r}."
            )
    if config.get("system") not in SYSTEMS:
        raise PackageError(
            f"`system` in {path} must be one of {', '.join(SYSTEMS)}, but is "
            f"{str(config.get('system'))[:60]!r}."
        )
    return config


def _parse_card(data: bytes, path: Path) -> str:
    card = _decode(data, path)
    control = _CONTROLS.search(card)
    if control:
        raise PackageError(
            f"{path} must hold no control characters, but holds {control.group()!r}."
        )
    return card


def is_printed(value: object) -> bool:
    """Say whether it is a name that is safe to print."""
    return isinstance(value, str) and bool(_PRINTED.fullmatch(value))


def _parse_tokens(vocabulary: Mapping[str, Any], name: str, folder: Path) -> tuple[str, ...]:
    tokens = vocabulary.get(name)
    if (
        not isinstance(tokens, list)
        or len(tokens) < 2
        or not all(isinstance(token, str) and token and token.isprintable() for token in tokens)
        or len(set(tokens)) != len(tokens)
    ):
        raise PackageError(
            f"`{name}` in {folder / 'vocabulary.json'} must list different, printable, non-empty "
            "strings."
        )
    return tuple(tokens)
