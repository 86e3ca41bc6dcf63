"""JSON files that describe a recording, read with a bound on their size."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from signloom.errors import FormatError
from signloom.poses.formats.plain import read_plain

MAX_BYTES = 16 * 2**20


def read_object(path: Path, *, most: int = MAX_BYTES) -> dict[str, Any]:
    """Read a JSON object of at most so many bytes.

    Raises:
        FormatError: It is missing, no plain file, too large, or something else.
    """
    try:
        content = json.loads(read_plain(path, most=most))
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} must be JSON, but is not: {error}.") from error
    if not isinstance(content, dict):
        raise FormatError(f"{path} must hold an object, but holds a {type(content).__name__}.")
    return content
