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
from signloom.poses.formats.plain import read_plain

MAX_BYTES = 2**28
"""Of a file; five captions of each training picture of COCO take 40 million."""

Taught = dict[str, tuple[tuple[str, ...], ...]]


def read_taught(path: Path) -> Taught:
    """Read captions, tokenised, by the names of their pictures.

    Raises:
        FormatError: The file cannot be read, or a line does not hold.
    """
    lines = read_lines(path)
    next(lines, None)
    return {line["name"]: tuple(tuple(one.split()) for one in line["captions"]) for line in lines}


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Read the lines; a last one that is cut off, as a kill leaves it, is passed over.

    Raises:
        FormatError: The file cannot be read, or another line is no object with what it must have.
    """
    try:
        lines = read_plain(path, most=MAX_BYTES).decode("utf-8").split("\n")
    except OSError as error:
        raise FormatError(
            f"A teacher's captions must be at {path}, but cannot be read there: {error.strerror}. "
            "`signloom distill` writes them."
        ) from error
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{path} must be captions as `signloom distill` writes them, but is no text."
        ) from error
    for number, line in enumerate(lines[:-1], start=1):
        where = f"{path} line {number}"
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"{where} must be JSON, but is not: {error}.") from error
        if number == 1 and not (isinstance(values, dict) and "teacher" in values):
            raise FormatError(f"{where} must be an object with `teacher`.")
        if number > 1 and not _is_taught(values):
            raise FormatError(f"{where} must be an object with `name` and `captions`, texts.")
        yield values


def _is_taught(values: Any) -> bool:
    """Say whether a line names a picture and at least one caption."""
    if not isinstance(values, dict) or not isinstance(values.get("name"), str):
        return False
    captions = values.get("captions")
    return (
        isinstance(captions, list)
        and bool(captions)
        and all(isinstance(one, str) for one in captions)
    )
