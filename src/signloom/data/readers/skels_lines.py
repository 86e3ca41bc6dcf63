"""The lines of a `.skels` file, found in one pass and parsed one at a time.

A corpus of thousands of sequences is a gigabyte of text: this holds only where each line starts.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from signloom.errors import FormatError
from signloom.poses.pose import Pose

LINE_VALUES = 151
"""Fifty joints of three coordinates, then the counter."""
SCALE = 3.0
"""The files hold thirds of shoulder widths."""
FPS = 25.0
MAX_LINE_BYTES = 256 * 2**20


class SkelsLines:
    """The sequences of one `.skels` file.

    Args:
        path: The file.

    Raises:
        FormatError: It cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._starts = [0]
        try:
            with path.open("rb") as file:
                for line in file:
                    self._starts.append(self._starts[-1] + len(line))
        except OSError as error:
            raise FormatError(f"{path} cannot be read: {error.strerror}.") from error

    def __len__(self) -> int:
        return len(self._starts) - 1

    def pose(self, number: int) -> Pose:
        """Read the sequence of a line, counted from 0; shoulder widths at 25 fps.

        Raises:
            FormatError: The line does not hold frames of 151 finite numbers.
        """
        start, end = self._starts[number : number + 2]
        if end - start > MAX_LINE_BYTES:
            raise FormatError(f"a line must have at most {MAX_LINE_BYTES} bytes, but has more")
        with self._path.open("rb") as file:
            file.seek(start)
            return parse_line(file.read(end - start).decode("ascii", errors="replace"))


def parse_line(line: str) -> Pose:
    """Make a pose of one line; see `SkelsLines.pose`."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            values = np.fromstring(line, dtype=np.float64, sep=" ")
        except (DeprecationWarning, ValueError):
            raise FormatError("must hold numbers, but holds something else") from None
    if not len(values) or len(values) % LINE_VALUES:
        raise FormatError(
            f"must hold {LINE_VALUES} numbers a frame, at least one frame, "
            f"but holds {len(values)} numbers"
        )
    frames = values.reshape(-1, LINE_VALUES)[:, :-1].reshape(-1, 50, 3) * SCALE
    return Pose.of(frames.astype(np.float32), fps=FPS)
