"""Put a model package, a folder or a zip file, where it is known by its name.

Nothing that an archive says of itself is believed: names, kinds and sizes are checked before a
byte is unpacked, the unpacked bytes are counted, and the package is verified before it is moved to
its place. It is there whole or not at all.
"""

from __future__ import annotations

import stat
import tempfile
import zipfile
import zlib
from pathlib import Path

from signloom.errors import PackageError
from signloom.runtime.checksums import CHECKSUMS_FILE, MAX_GRAPH_BYTES, check_names, most_bytes
from signloom.runtime.package import Package, load_package
from signloom.runtime.registry import bundled_folder, user_folder

MAX_ENTRIES = 64
MAX_BYTES = 2 * MAX_GRAPH_BYTES
_CHUNK = 2**20
_DAMAGED = (
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error),
    UnicodeDecodeError,
)


def install(source: Path, *, overwrite: bool = False) -> Package:
    """Install a package for this user.

    Args:
        source: Folder of a package, or a zip file of its files.
        overwrite: Replace a package of the same name.

    Returns:
        The package at its place.

    Raises:
        PackageError: The source is no package, or its name is taken.
    """
    root = user_folder()
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".install-", dir=root) as scratch:
            staged = Path(scratch) / "package"
            staged.mkdir(mode=0o755)
            if _is_folder(source):
                _copy(load_package(source).path, staged)
            else:
                _unpack(source, staged)
            name = _load(staged, source).name
            target = _free_place(root / name, overwrite=overwrite)
            if target.exists():
                target.rename(Path(scratch) / "old")
            staged.rename(target)
    except OSError as error:
        raise PackageError(f"{root} cannot be written: {error.strerror}.") from error
    return load_package(target)


def _load(staged: Path, source: Path) -> Package:
    """Verify what was unpacked; messages name its source, not where it lies meanwhile."""
    try:
        return load_package(staged)
    except PackageError as error:
        raise PackageError(str(error).replace(str(staged), str(source))) from error


def _is_folder(source: Path) -> bool:
    """Say whether a source is a folder; refuse what is no file either."""
    try:
        if source.is_dir():
            return True
        if source.is_file():
            return False
    except OSError as error:  # a name too long
        raise PackageError(f"{str(source)[:80]!r} cannot be read: {error.strerror}.") from error
    found = "is none" if source.exists() else "is not there"
    raise PackageError(f"A package must be a folder or a zip file, but {source} {found}.")


def _free_place(target: Path, *, overwrite: bool) -> Path:
    if (bundled_folder() / target.name).exists():
        raise PackageError(
            f"The name {target.name} must be free, but a package of this name comes with signloom."
        )
    if target.exists() and not overwrite:
        raise PackageError(f"{target} is there already. Replace it with --overwrite.")
    return target


def _copy(source: Path, target: Path) -> None:
    for entry in source.iterdir():
        (target / entry.name).write_bytes(entry.read_bytes())


def _unpack(source: Path, target: Path) -> None:
    """Unpack a checked zip file."""
    try:
        with _open(source) as archive:
            entries = archive.infolist()
            _check_entries(entries, source)
            for entry in entries:
                _unpack_entry(archive, entry, target / entry.filename)
    except _DAMAGED as error:
        raise PackageError(f"{source} must be a whole zip file, but is not: {error}.") from error


def _open(source: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(source)
    except OSError as error:
        raise PackageError(f"{source} cannot be read: {error.strerror}.") from error


def _check_entries(entries: list[zipfile.ZipInfo], source: Path) -> None:
    names = [entry.filename for entry in entries]
    if len(names) > MAX_ENTRIES:
        raise PackageError(
            f"{source} must hold at most {MAX_ENTRIES} files, but holds {len(names)}."
        )
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise PackageError(f"{source} must hold each file once, but holds {twice[0]} more often.")
    check_names(set(names) - {CHECKSUMS_FILE}, where=str(source))
    for entry in entries:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise PackageError(f"{source} must hold plain files, but {entry.filename} is none.")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise PackageError(f"{source} must be deflated, but {entry.filename} is not.")
        most = most_bytes(entry.filename)
        if entry.file_size > most:
            raise PackageError(
                f"{entry.filename} in {source} must unpack to at most {most} bytes, but says "
                f"{entry.file_size}."
            )
    total = sum(entry.file_size for entry in entries)
    if total > MAX_BYTES:
        raise PackageError(f"{source} must unpack to at most {MAX_BYTES} bytes, but says {total}.")


def _unpack_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> None:
    """Unpack one file, and no more bytes than it says it has."""
    with archive.open(entry) as packed, path.open("wb") as file:
        left = entry.file_size
        while chunk := packed.read(min(_CHUNK, left + 1)):
            left -= len(chunk)
            if left < 0:
                raise PackageError(f"{entry.filename} is larger than the archive says.")
            file.write(chunk)
