"""Folds for cross-validation in which no sentence is both learned and tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from signloom.data.corpora.words import stable_hash


def fold_numbers(keys: Sequence[str], count: int) -> list[int]:
    """Deal utterances to folds of about one size; those with one key stay together.

    Args:
        keys: The key of each utterance, such as its gloss string.
        count: Folds.

    Returns:
        The fold of each utterance, from 0. It depends on the keys, not on their order.

    Example:
        >>> fold_numbers(["a b", "c", "a b", "d"], 2)
        [0, 1, 0, 1]
    """
    sizes = Counter(keys)
    filled = [0] * count
    folds: dict[str, int] = {}
    for key in sorted(sizes, key=lambda one: (-sizes[one], stable_hash(one))):
        folds[key] = filled.index(min(filled))
        filled[folds[key]] += sizes[key]
    return [folds[key] for key in keys]
