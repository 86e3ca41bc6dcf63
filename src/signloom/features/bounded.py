"""A file's bytes one after another, counted: what unfolds without end is stopped while it does.

A gzip file of a megabyte can unfold into a gigabyte, and a file of ten bytes can claim that
gigabytes follow. Bytes are therefore charged to a budget before they are read, and a claim is
read piece by piece, so that no more memory is taken than there are bytes.
"""

from __future__ import annotations

import gzip
import io
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from signloom.errors import FormatError

MAX_BYTES = 8 * 2**30
"""Most bytes of a file, unfolded; the training split of PHOENIX14T takes 3.4 billion."""
MAX_STEPS = 20_000_000
"""Most instructions of a pickle; the training split of PHOENIX14T takes about a million."""
GZIP_MAGIC = b"\x1f\x8b"
_FREE_BYTES = 64 * 2**20
_MAX_RATIO = 100
_PIECE = 16 * 2**20


@dataclass
class Budget:
    """What reading a file may still cost.

    Attributes:
        num_bytes: Bytes that may still be taken.
        num_steps: Instructions that may still be followed.
    """

    num_bytes: int = MAX_BYTES
    num_steps: int = MAX_STEPS

    def charge(self, num_bytes: int) -> None:
        """Pay for bytes before they are taken.

        Raises:
            FormatError: They are more than are left.
        """
        if num_bytes > self.num_bytes:
            raise FormatError("it unfolds into more bytes than are allowed")
        self.num_bytes -= num_bytes

    def step(self, count: int = 1) -> None:
        """Pay for instructions.

        Raises:
            FormatError: They are more than are left.
        """
        if count > self.num_steps:
            raise FormatError("it takes more instructions than are allowed")
        self.num_steps -= count


@dataclass
class ByteSource:
    """A file that is read forwards on a budget.

    Attributes:
        file: The open file.
        budget: What may still be taken; sources may share one.
    """

    file: io.BufferedIOBase
    budget: Budget

    def take(self, count: int) -> bytes:
        """Read exactly so many bytes.

        Raises:
            FormatError: There are fewer, or they are more than the budget has.
        """
        self.budget.charge(count)
        pieces = []
        missing = count
        while missing and (piece := self.file.read(min(missing, _PIECE))):
            pieces.append(piece)
            missing -= len(piece)
        if missing:
            raise FormatError("it is cut short")
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def line(self, *, most: int = 256) -> str:
        """Read a line of UTF-8, without its end.

        Raises:
            FormatError: It is longer than `most` bytes, is cut short or is no text.
        """
        found = self.file.readline(most)
        self.budget.charge(len(found))
        if not found.endswith(b"\n"):
            raise FormatError("a name in it is too long or cut short")
        try:
            return found[:-1].decode()
        except UnicodeDecodeError:
            raise FormatError("a name in it is no text") from None


def check_plain(path: Path) -> int:
    """Refuse what might never end, and give the number of bytes of a file.

    Raises:
        FormatError: It is a folder, a pipe or a device.
        OSError: It is missing.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise FormatError("it is a folder, a pipe or a device")
    return found.st_size


def most_unfolded(num_bytes: int, *, max_bytes: int = MAX_BYTES) -> int:
    """Give how many bytes a packed file may unfold into: a hundred times its own, or 64 MiB.

    Args:
        num_bytes: Its own.
        max_bytes: What it may unfold into at most.
    """
    return min(max_bytes, _FREE_BYTES + _MAX_RATIO * num_bytes)


@contextmanager
def open_bounded(path: Path, *, max_bytes: int = MAX_BYTES) -> Iterator[ByteSource]:
    """Open a file that may be packed by gzip.

    Besides `max_bytes`, it may unfold into a hundred times its size; 64 MiB are always allowed.

    Raises:
        FormatError: It is no plain file, cannot be read, or is damaged; whatever the block finds
            wrong is raised again with the file's name.
    """
    try:
        most = most_unfolded(check_plain(path), max_bytes=max_bytes)
        with path.open("rb") as raw:
            packed = raw.peek(2)[:2] == GZIP_MAGIC
            yield ByteSource(_unpack(raw) if packed else raw, Budget(most))
    except FormatError as error:
        raise FormatError(f"{path} must be a file of features, but {error}.") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"{path} must be a file of features, but it is damaged.") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{path} cannot be read: {reason}.") from error


def _unpack(raw: io.BufferedReader) -> io.BufferedReader:
    unpacked = gzip.GzipFile(fileobj=raw)
    return io.BufferedReader(cast(io.RawIOBase, unpacked))  # reads single bytes three times faster
