"""Files that appear whole or not at all.

A file is written beside its place under a temporary name, flushed to the disk and then renamed.
Whatever goes wrong, an older file of that name stays as it was and nothing else is left behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from signloom.errors import FormatError


def check_writable(path: Path) -> None:
    """Refuse a path that a file cannot be put at.

    Raises:
        FormatError: The folder is missing or closed to us, or the path is itself a folder.
    """
    folder = path.parent
    if path.is_dir():
        raise FormatError(f"The output must be a file, but {path} is a folder.")
    if not folder.is_dir():
        found = "is not a folder" if folder.exists() else "does not exist"
        raise FormatError(f"The output's folder must exist, but {folder} {found}. Make it first.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FormatError(f"The output's folder must be writable, but {folder} is not.")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path; rename it to `path` when the block ends well.

    Raises:
        FormatError: The operating system refuses to write there.
    """
    check_writable(path)
    temporary = path.with_name(f".{path.stem[:64]}.{os.getpid()}-{os.urandom(4).hex()}.partial")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FormatError(f"{path} cannot be written: {reason}.") from error
    finally:
        temporary.unlink(missing_ok=True)
