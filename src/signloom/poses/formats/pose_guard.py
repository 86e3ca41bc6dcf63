"""Check the bytes of a `.pose` file before a reader trusts the counts written in them.

A `.pose` file starts with counts and names that say how much is to follow. A reader that believes
them can be made to fail deep inside, or to ask for gigabytes, by a file of a kilobyte. This walk
takes nothing on trust: it stops at the first byte that is missing.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from signloom.errors import FormatError
from signloom.poses.pose import MAX_FPS, MIN_FPS

MAX_VALUES = 50_000_000
"""Most numbers in a file: about 14 minutes of 586 points at 25 fps."""

MAX_BYTES = 4 * MAX_VALUES + 4_000_000


@dataclass
class _Walk:
    data: bytes
    place: int = 0

    def take(self, form: str, *, what: str) -> tuple[Any, ...]:
        size = struct.calcsize(form)
        self.skip(size, what=what)
        return struct.unpack_from(form, self.data, self.place - size)

    def skip(self, size: int, *, what: str) -> None:
        if self.place + size > len(self.data):
            raise FormatError(
                f"the file must hold {what} up to byte {self.place + size}, "
                f"but ends at byte {len(self.data)}: it is cut short or is no .pose file"
            )
        self.place += size

    def text(self, *, what: str) -> str:
        (size,) = self.take("<H", what=what)
        self.skip(int(size), what=what)
        try:
            return self.data[self.place - int(size) : self.place].decode()
        except UnicodeDecodeError:
            raise FormatError(f"{what} must be UTF-8 text, but is not") from None


def check(data: bytes) -> None:
    """Walk a `.pose` file of version 0.0, 0.1 or 0.2 from end to end.

    Raises:
        FormatError: The file is cut short, has bytes left over, is of another version, holds no
            frame, no person or no point, has an impossible frame rate, or is too large.
    """
    walk = _Walk(data)
    (version,) = walk.take("<f", what="its version")
    if version != 0 and round(version, 3) not in (0.1, 0.2):
        raise FormatError(f"the version must be 0, 0.1 or 0.2, but is {version:g}")
    walk.skip(6, what="its dimensions")
    points, dims, is_mixed = _walk_components(walk)
    if version == 0:
        if is_mixed:
            raise FormatError("components of version 0 must have one point format, but have two")
        _walk_people(walk, points=points, dims=dims)
    else:
        _walk_tensor(walk, per_frame=points * (dims + 1), is_short=round(version, 3) == 0.1)
    if walk.place != len(data):
        raise FormatError(f"{len(data) - walk.place} bytes are left over after the last frame")


def _walk_tensor(walk: _Walk, *, per_frame: int, is_short: bool) -> None:
    """Walk over the body of versions 0.1 and 0.2: every frame has the same people."""
    if is_short:
        fps, frames, people = walk.take("<HHH", what="its frame rate and counts")
        # Version 0.1 counts frames in 16 bits, which overflow: its readers go by the length.
        frames = (len(walk.data) - walk.place) // max(1, 4 * per_frame * int(people))
    else:
        fps, frames, people = walk.take("<fIH", what="its frame rate and counts")
    _check_counts(float(fps), int(frames), int(people))
    values = int(frames) * int(people) * per_frame
    _check_values(values)
    walk.skip(4 * values, what=f"{int(frames)} frames")


def _walk_people(walk: _Walk, *, points: int, dims: int) -> None:
    """Walk over the body of version 0: each frame says how many people it has."""
    fps, frames = walk.take("<HH", what="its frame rate and counts")
    _check_values(int(frames) * points * (dims + 1))
    seen = 0
    for number in range(int(frames)):
        (people,) = walk.take("<H", what=f"frame {number}")
        walk.skip(int(people) * (2 + 4 * points * (dims + 1)), what=f"frame {number}")
        seen += int(people)
    _check_counts(float(fps), int(frames), seen)


def _check_values(values: int) -> None:
    if values > MAX_VALUES:
        raise FormatError(f"at most {MAX_VALUES} numbers can be read, but it says {values}")


def _check_counts(fps: float, frames: int, people: int) -> None:
    if not MIN_FPS <= fps <= MAX_FPS:
        raise FormatError(f"fps must be from {MIN_FPS:g} to {MAX_FPS:g}, but is {fps:g}")
    if frames < 1:
        raise FormatError("there must be at least one frame, but there is none")
    if people < 1:
        raise FormatError("there must be at least one person, but there is none")


def _walk_components(walk: _Walk) -> tuple[int, int, bool]:
    """Give the number of points of all components, of dimensions, and whether those differ."""
    (components,) = walk.take("<H", what="its components")
    points = dims = 0
    forms = set()
    for number in range(int(components)):
        what = f"component {number + 1} of {int(components)}"
        walk.text(what=what)
        form = walk.text(what=what)
        if form not in ("XYC", "XYZC"):
            raise FormatError(f"{what} must have point format XYC or XYZC, but has `{form[:16]}`")
        names, limbs, colors = (int(count) for count in walk.take("<HHH", what=what))
        for _ in range(names):
            walk.text(what=what)
        walk.skip(4 * limbs + 6 * colors, what=what)
        points += names
        dims = max(dims, len(form) - 1)
        forms.add(form)
    if points < 1:
        raise FormatError("there must be at least one point, but there is none")
    return points, dims, len(forms) > 1
