"""Shares a corpus out into train, dev and test where it brings no split of its own."""

from __future__ import annotations

import numpy as np

from signloom.data.corpora.words import SPLITS, stable_hash
from signloom.errors import ConfigError, FormatError

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
    return known_split(name) if name else hashed_split(key)


def known_split(name: str) -> str:
    """Give the split of a name that the field's files use.

    Raises:
        FormatError: It is no name of a split.

    Example:
        >>> known_split("Validation")
        'dev'
    """
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


def drawn_splits(count: int, *, seed: int, dev_percent: float, test_percent: float) -> list[str]:
    """Draw a split for each utterance of a list, so that the shares hold exactly.

    Args:
        count: Utterances.
        seed: The same seed and count give the same splits.
        dev_percent: Share of dev.
        test_percent: Share of test; what is left is train.

    Example:
        >>> sorted(drawn_splits(10, seed=0, dev_percent=20.0, test_percent=10.0))
        ['dev', 'dev', 'test', 'train', 'train', 'train', 'train', 'train', 'train', 'train']
    """
    dev = round(count * dev_percent / 100)
    test = min(count - dev, round(count * test_percent / 100))
    splits = np.array(["dev"] * dev + ["test"] * test + ["train"] * (count - dev - test))
    drawn: list[str] = splits[np.random.default_rng(seed).permutation(count)].tolist()
    return drawn


def check_shares(*, seed: int, dev_percent: float, test_percent: float) -> None:
    """Refuse to draw splits that leave nothing to learn from.

    Raises:
        ConfigError: A number is below 0, or both shares together are 100 or more.
    """
    if not (dev_percent >= 0 and test_percent >= 0 and dev_percent + test_percent < 100):
        raise ConfigError(
            "`dev_percent` and `test_percent` must be 0 or more and less than 100 together, but "
            f"are {dev_percent:g} and {test_percent:g}."
        )
    if seed < 0:
        raise ConfigError(f"`seed` must be 0 or more, but is {seed}.")
