"""Shares a corpus out into train, dev and test where it brings no split of its own."""

from __future__ import annotations

from signloom.data.corpora.words import SPLITS, stable_hash
from signloom.errors import FormatError

SPLIT_NAMES = {
    **{split: split for split in SPLITS},
    "val": "dev",
    "valid": "dev",
    "validation": "dev",
    "training": "train",
    "testing": "test",
}
"""What the field's files call the splits, and what we do."""


def named_split(name: str, *, key: str) -> str:
    """Give the split that a table names, whatever it calls it; by hash where it names none.

    Args:
        name: What the table says, perhaps nothing.
        key: See `hashed_split`.

    Raises:
        FormatError: It is no name of a split.
    """
    if not name:
        return hashed_split(key)
    if name.lower() not in SPLIT_NAMES:
        raise FormatError(f"`split` must be one of {', '.join(SPLITS)}, but is {name!r}")
    return SPLIT_NAMES[name.lower()]


def hashed_split(key: str, *, parts: tuple[int, int, int] = (80, 10, 10)) -> str:
    """Give a split that depends on nothing but the key.

    Args:
        key: Utterances of one key stay together; the text, so that no text is in two splits.
        parts: Percent of train, dev and test.

    Example:
        >>> hashed_split("good morning") in SPLITS
        True
        >>> hashed_split("good morning", parts=(0, 0, 100))
        'test'
    """
    place = stable_hash(key) % 100
    if place < parts[0]:
        return "train"
    return "dev" if place < parts[0] + parts[1] else "test"
