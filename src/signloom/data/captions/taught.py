"""A teacher's captions of training pictures: one JSON object a line, appended as they are found.

    {"name": "1000268201", "captions": ["a girl climbs stairs", …]}, the best first

The first line says what found them: {"teacher": SHA-256 of its checkpoint, "beam": 5, "best": 5}.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from signloom.errors import FormatError

Taught = dict[str, tuple[tuple[str, ...], ...]]


def read_taught(path: Path) -> Taught:
    """Read captions, tokenised, by the names of their pictures.

    Raises:
        FormatError: The file cannot be read, or a line does not hold.
    """
    lines = read_lines(path)
    next(lines, None)
    return {
        str(line["name"]): tuple(tuple(str(one).split()) for one in line["captions"])
        for line in lines
    }


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Read the lines; a last one that is cut off, as a kill leaves it, is passed over.

    Raises:
        FormatError: The file cannot be read, or another line is no object with what it must have.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} cannot be read: {error}.") from error
    for number, line in enumerate(lines[:-1], start=1):
        try:
            values = json.loads(line)
        except ValueError as error:
            raise FormatError(f"{path} line {number} must be JSON, but is not: {error}.") from error
        wanted = ("teacher",) if number == 1 else ("name", "captions")
        if not isinstance(values, dict) or not all(key in values for key in wanted):
            raise FormatError(
                f"{path} line {number} must be an object with {' and '.join(wanted)}."
            )
        yield values
