"""Shares a corpus out into train, dev and test where it brings no split of its own."""

from __future__ import annotations

from signloom.data.corpora.words import SPLITS, stable_hash

SPLIT_NAMES = {
    **{split: split for split in SPLITS},
    "val": "dev",
    "valid": "dev",
    "validation": "dev",
    "training": "train",
    "testing": "test",
}
"""What the field's files call the splits, and what we do."""


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
