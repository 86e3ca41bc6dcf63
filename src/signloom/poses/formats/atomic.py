"""Files that appear whole or not at all.

A file is written beside its place under a temporary name, flushed to the disk and then renamed.
Whatever goes wrong, an older file of that name stays as it was and nothing else is left behind.
What a killed process had to leave is removed when the same file is next written.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from signloom.errors import FormatError


def check_writable(path: Path) -> None:
    """Refuse a path that a file cannot be put at.

    Raises:
        FormatError: The folder is missing or closed to us, the path is itself a folder, a pipe or
            a device, or no file can have the name.
    """
    folder = path.parent
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:  # a name too long, a NUL
        if folder.is_dir():
            raise FormatError(f"{_cut(path)} cannot be written: {_reason(error)}.") from error
    if path.is_dir():
        raise FormatError(f"The output must be a file, but {path} is a folder.")
    if path.exists() and not path.is_file():  # a file would take its place
        raise FormatError(f"The output must be a plain file, but {path} is a pipe or a device.")
    if not folder.is_dir():
        found = "is not a folder" if folder.exists() else "does not exist"
        raise FormatError(f"The output's folder must exist, but {folder} {found}. Make it first.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FormatError(f"The output's folder must be writable, but {folder} is not.")


def check_folder(folder: Path) -> None:
    """Refuse a folder that cannot be made or written into, without making it.

    Raises:
        FormatError: It or what it would lie in is a file or closed to us.
    """
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise FormatError(f"The outputs' folder must be a folder, but {there} is a file.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise FormatError(f"The outputs' folder must be writable, but {there} is not.")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path; rename it to `path` when the block ends well.

    Raises:
        FormatError: The operating system refuses to write there.
    """
    check_writable(path)
    start = _start_of_temporary(path)
    _sweep(path.parent, start)
    temporary = path.with_name(f"{start}{os.getpid()}-{os.urandom(4).hex()}.partial")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise FormatError(f"{path} cannot be written: {_reason(error)}.") from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes that ask here from a folder while the block runs; see `hold`."""
    if sys.platform == "win32":  # where folders cannot be opened
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        hold(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def hold(file: IO[Any] | int, path: Path) -> None:
    """Keep other processes that ask here from an open file, until it is closed.

    On Windows nobody is kept from it.

    Raises:
        FormatError: Another process holds it.
    """
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise FormatError(
            f"{path} must be written by one process, but another one is writing it. Let it finish."
        ) from error


def _start_of_temporary(path: Path) -> str:
    """Give what the temporary names of a file start with, short enough for any file system."""
    return f".{path.name.encode(errors='replace')[:64].decode(errors='ignore')}."


def _sweep(folder: Path, start: str) -> None:
    """Remove temporary files of one target whose writers are gone."""
    if sys.platform == "win32":  # there, asking whether a process lives may end it
        return
    pattern = re.compile(re.escape(start) + r"(\d{1,9})-[0-9a-f]{8}\.partial")
    with suppress(OSError):
        for file in folder.iterdir():
            match = pattern.fullmatch(file.name)
            if match and not _lives(int(match[1])):
                file.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it lives, but is another user's
        return True
    return True


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _cut(path: Path) -> str:
    text = str(path)
    return repr(text if len(text) <= 80 else f"{text[:77]}...")
