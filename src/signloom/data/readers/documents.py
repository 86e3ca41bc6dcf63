"""JSON files that describe a recording, read with a bound on their size."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from signloom.errors import FormatError

MAX_BYTES = 16 * 2**20


def read_object(path: Path) -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        FormatError: It is missing, too large, or something else.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise FormatError(f"{path} must have at most {MAX_BYTES} bytes, but has more.")
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} must be JSON, but is not: {error}.") from error
    if not isinstance(content, dict):
        raise FormatError(f"{path} must hold an object, but holds a {type(content).__name__}.")
    return content
