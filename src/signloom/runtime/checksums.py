"""The files of a model package and their SHA-256 sums: which there may be, and that they match.

A package is one flat folder. Every file but `checksums.json` is listed in it by name; a package
whose files are not exactly the listed ones, or do not match, is refused. The package's id is the
SHA-256 of the canonical listing, so it does not depend on white space or on the order of keys.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
from collections.abc import Mapping
from pathlib import Path

from signloom.errors import PackageError

CHECKSUMS_FILE = "checksums.json"
TEXT_FILES = ("config.json", "vocabulary.json", "card.md")
WEIGHTS_FILE = "weights.bin"
MAX_TEXT_BYTES = 4 * 2**20
MAX_GRAPH_BYTES = 2**30

_GRAPH_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}\.onnx")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def listing(contents: Mapping[str, bytes]) -> dict[str, str]:
    """Return the SHA-256 of each file, by name."""
    return {name: hashlib.sha256(contents[name]).hexdigest() for name in sorted(contents)}


def package_id(sums: Mapping[str, str]) -> str:
    """Return the SHA-256 of a canonical listing: the identity of a package.

    Example:
        >>> package_id({"b": "2", "a": "1"}) == package_id({"a": "1", "b": "2"})
        True
    """
    canonical = json.dumps(dict(sums), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def read_verified(folder: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """Read every file of a package and check it against the listing.

    Args:
        folder: The package's folder.

    Returns:
        The content and the SHA-256 of each listed file, by name.

    Raises:
        PackageError: A file is missing, unlisted, of the wrong kind, too large or altered.
    """
    present = _present_files(folder)
    if CHECKSUMS_FILE not in present:
        raise PackageError(
            f"A model package must hold `{CHECKSUMS_FILE}`, but {folder} does not. "
            "Give the folder that `signloom export` wrote."
        )
    sums = _read_listing(folder)
    listed, found = set(sums), present - {CHECKSUMS_FILE}
    for name in sorted(listed - found):
        raise PackageError(f"The model package {folder} lacks `{name}`. Install it again.")
    for name in sorted(found - listed):
        raise PackageError(
            f"The model package {folder} holds `{name}`, which `{CHECKSUMS_FILE}` does not list. "
            "Remove the file, or install the package again."
        )
    contents = {name: _read_bounded(folder / name) for name in sorted(sums)}
    for name, found_sum in listing(contents).items():
        if found_sum != sums[name]:
            raise PackageError(
                f"The checksum of `{name}` in {folder} must be {sums[name][:12]}…, but is "
                f"{found_sum[:12]}…: the file was altered or damaged. Install the package again."
            )
    return contents, sums


def check_names(names: set[str], *, where: str) -> None:
    """Refuse a set of file names that no package may have.

    Raises:
        PackageError: A text file is missing, no graph is there, or a name is not allowed.
    """
    for name in TEXT_FILES:
        if name not in names:
            raise PackageError(f"A model package must hold `{name}`, but {where} does not.")
    graphs = names - {*TEXT_FILES, WEIGHTS_FILE}
    for name in sorted(graphs):
        if not _GRAPH_NAME.fullmatch(name):
            raise PackageError(
                f"A model package may hold {', '.join(TEXT_FILES)}, {WEIGHTS_FILE} and graphs "
                f"named like `encoder.onnx`, but {where} names {name!r}."
            )
    if not graphs:
        raise PackageError(f"A model package must hold a graph (`*.onnx`), but {where} has none.")


def holds_only_package_files(folder: Path) -> bool:
    """Say whether a folder can be nothing but a package, whole or damaged.

    Raises:
        OSError: The folder cannot be read.
    """
    if folder.is_symlink() or not folder.is_dir():
        return False
    names = set()
    for entry in folder.iterdir():
        if not stat.S_ISREG(entry.lstat().st_mode):
            return False
        names.add(entry.name)
    others = names - {CHECKSUMS_FILE, WEIGHTS_FILE, *TEXT_FILES}
    return CHECKSUMS_FILE in names and all(_GRAPH_NAME.fullmatch(name) for name in others)


def _present_files(folder: Path) -> set[str]:
    try:
        entries = list(folder.iterdir())
        for entry in entries:
            if not stat.S_ISREG(entry.lstat().st_mode):
                raise PackageError(
                    f"A model package must hold plain files only, but {entry} is a link, a folder "
                    "or a device. Install the package again."
                )
    except OSError as error:
        raise PackageError(
            f"A model package must be a readable folder, but {folder} is not: {error.strerror}."
        ) from error
    return {entry.name for entry in entries}


def _read_listing(folder: Path) -> dict[str, str]:
    path = folder / CHECKSUMS_FILE
    try:
        sums = json.loads(_read_bounded(path))
    except (ValueError, RecursionError) as error:
        raise PackageError(f"{path} must be JSON, but is not: {error}.") from error
    well_formed = isinstance(sums, dict) and all(
        isinstance(value, str) and _SHA256.fullmatch(value) for value in sums.values()
    )
    if not well_formed:
        raise PackageError(f"{path} must map each file name to its SHA-256, but does not.")
    check_names(set(sums), where=str(path))
    return dict(sums)


def most_bytes(name: str) -> int:
    """Tell how many bytes a file of a package may have, by its name."""
    return MAX_GRAPH_BYTES if name.endswith((".onnx", ".bin")) else MAX_TEXT_BYTES


def _read_bounded(path: Path) -> bytes:
    limit = most_bytes(path.name)
    try:
        size = path.stat().st_size
        if size > limit:
            raise PackageError(
                f"`{path.name}` of a model package must be at most {limit} bytes, but {path} "
                f"has {size}."
            )
        return path.read_bytes()
    except OSError as error:
        raise PackageError(
            f"The file {path} of the model package must be readable: {error.strerror}."
        ) from error
