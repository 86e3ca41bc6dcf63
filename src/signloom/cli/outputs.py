"""How results look on standard output, and how outputs are named."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from typing import Any

import typer

MAX_SLUG = 48


def echo_json(content: Any) -> None:
    """Print one JSON document, in characters that the terminal can show."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    ascii_only = not encoding.startswith("utf")
    typer.echo(json.dumps(content, ensure_ascii=ascii_only, indent=2))


def slug(text: str) -> str:
    """Make a file name's stem of a text; a text cut short is told apart by a hash.

    Example:
        >>> slug("New York, NY!")
        'new-york-ny'
        >>> len(slug("a" * 99))
        57
    """
    stem = re.sub(r"[\W_]+", "-", text.lower()).strip("-") or "text"
    if len(stem) <= MAX_SLUG:
        return stem
    return f"{stem[:MAX_SLUG]}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
