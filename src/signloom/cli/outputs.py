"""How results look on standard output, and how outputs are named."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Mapping
from typing import Any

MAX_SLUG = 48
SOME_REFUSED = 3
"""Exit code of work on many items of which some were refused and named."""


def answer(line: str) -> None:
    """Write a line of the result to standard output."""
    if sys.stdout is not None:  # it is None when the caller closed it
        sys.stdout.write(f"{line}\n")


def note(line: str) -> None:
    """Write a line for a person to standard error."""
    if sys.stderr is not None:
        sys.stderr.write(f"{line}\n")


def answer_json(content: Any) -> None:
    """Write one JSON document to standard output, in characters that the terminal can show."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    ascii_only = not encoding.startswith("utf")
    answer(json.dumps(content, ensure_ascii=ascii_only, indent=2))


def answer_facts(facts: Mapping[str, Any], *, as_json: bool) -> None:
    """Write names and values, one a line, or as one JSON document."""
    if as_json:
        answer_json(facts)
        return
    width = max(map(len, facts))
    for name, value in facts.items():
        answer(f"{name:<{width}}  {value}")


def shown(text: str) -> str:
    r"""Escape what would steer a terminal or break a line: names come from anybody's files.

    Example:
        >>> shown("a\nb\x1b[2J")
        'a\\nb\\x1b[2J'
    """
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


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
