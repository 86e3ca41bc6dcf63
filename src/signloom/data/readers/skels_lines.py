"""The lines of a `.skels` file, found in one pass and parsed one at a time.

A corpus of thousands of sequences is a gigabyte of text: this holds only where each line starts.
"""

from __future__ import annotations

from pathlib import Path

from signloom.errors import FormatError
from signloom.poses.formats.skels_file import FPS, MAX_LINE_BYTES, parse_line
from signloom.poses.mirror import SWAPPED
from signloom.poses.pose import Pose


class SkelsLines:
    """The sequences of one `.skels` file.

    Args:
        path: The file.
        swap_sides: Take joints 2-4 and their hand for the signer's right, not left.

    Raises:
        FormatError: It cannot be read.
    """

    def __init__(self, path: Path, *, swap_sides: bool = False) -> None:
        self._path = path
        self._swap_sides = swap_sides
        self._starts = [0]
        try:
            with path.open("rb") as file:
                while line := file.readline(MAX_LINE_BYTES + 1):
                    if len(line) > MAX_LINE_BYTES:
                        raise FormatError(
                            f"{path} line {len(self._starts)} must have at most {MAX_LINE_BYTES} "
                            "bytes, but has more."
                        )
                    self._starts.append(self._starts[-1] + len(line))
        except OSError as error:
            raise FormatError(f"{path} cannot be read: {error.strerror}.") from error

    def __len__(self) -> int:
        return len(self._starts) - 1

    def pose(self, number: int) -> Pose:
        """Read the sequence of a line, counted from 0; shoulder widths at 25 fps.

        Raises:
            FormatError: The line does not hold; see `skels_file.read_all`.
        """
        with self._path.open("rb") as file:
            file.seek(self._starts[number])
            line = file.readline(MAX_LINE_BYTES + 1)
        frames = parse_line(line, place=f"{self._path} line {number + 1}")
        return Pose.of(frames[:, SWAPPED] if self._swap_sides else frames, fps=FPS)
