"""A result never takes the place of what it is made of, nor of another result."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from signloom.errors import ConfigError


def refuse_overwriting(sources: Iterable[object], *places: Path | None) -> None:
    """Refuse a place that is one of the sources, and one that two results are to take.

    Args:
        sources: What is read: files as paths; what else is there cannot be overwritten.
        places: Where results go; None for those that nobody asked for.

    Raises:
        ConfigError: A place is taken.
    """
    wanted = [place for place in places if place is not None]
    for one, other in combinations(wanted, 2):
        if one.absolute() == other.absolute() or _is_same(one, other):
            raise ConfigError(f"Each result must have a file of its own, but two go to {other}.")
    files = [source for source in sources if isinstance(source, Path)]
    for place in wanted:
        if any(_is_same(place, file) for file in files):
            raise ConfigError(
                f"A result must not overwrite what it is made of, but {place} is read as well. "
                "Write to another file."
            )


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them is not there
        return False
