"""Whole files read with a bound: a device, a pipe or a file of gigabytes is refused unread."""

from __future__ import annotations

import stat
from pathlib import Path

from signloom.errors import FormatError


def read_plain(path: Path, *, most: int) -> bytes:
    """Read a file, or what a link leads to.

    Args:
        path: The file.
        most: How many bytes it may have.

    Raises:
        FormatError: It is no plain file, which might never end, or it has more bytes.
        OSError: It cannot be read.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise FormatError(f"{path} must be a plain file, but is a folder, a pipe or a device.")
    if found.st_size > most:
        raise FormatError(f"{path} must have at most {most} bytes, but has {found.st_size}.")
    return path.read_bytes()
