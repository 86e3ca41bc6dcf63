"""What the header of a WAV file says, which FFmpeg does not tell where the file is shorter."""

from __future__ import annotations

import struct
from pathlib import Path

_UNKNOWN = (0, 0xFFFFFFFF)
"""What is written as a length by those who do not know it when they begin."""
_MAX_CHUNKS = 64


def claimed_length_s(path: Path) -> float | None:
    """Give how long a WAV file says it is, in seconds; None if it does not say, or is none.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        start = file.read(12)
        if start[:4] != b"RIFF" or start[8:] != b"WAVE":
            return None
        bytes_per_s = 0
        for _ in range(_MAX_CHUNKS):
            head = file.read(8)
            if len(head) < 8:
                return None
            name, size = struct.unpack("<4sI", head)
            if name == b"data":
                return size / bytes_per_s if bytes_per_s and size not in _UNKNOWN else None
            content = file.read(min(size, 12)) if name == b"fmt " else b""
            if len(content) == 12:
                (bytes_per_s,) = struct.unpack("<I", content[8:])
            file.seek(size - len(content) + size % 2, 1)  # chunks begin at even places
    return None
