"""What comes in through standard input."""

from __future__ import annotations

import sys

from signloom.errors import TextError


def read_stdin(limit: int) -> bytes:
    """Read at most so many bytes of standard input.

    Raises:
        TextError: It is closed.
    """
    if sys.stdin is None:
        raise TextError("Standard input must be open to read a text from it, but is closed.")
    return sys.stdin.buffer.read(limit)
