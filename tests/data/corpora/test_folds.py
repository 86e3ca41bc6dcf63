from __future__ import annotations

import numpy as np

from signloom.data.corpora.folds import fold_numbers

KEYS = [f"s{number % 37}" if number % 5 else f"once {number}" for number in range(103)]


def test_what_shares_a_key_shares_a_fold() -> None:
    numbers = fold_numbers(KEYS, 5)
    folds = {key: {n for k, n in zip(KEYS, numbers, strict=True) if k == key} for key in KEYS}
    assert all(len(found) == 1 for found in folds.values())
    assert set(numbers) == {0, 1, 2, 3, 4}


def test_folds_are_of_about_one_size() -> None:
    sizes = np.bincount(fold_numbers(KEYS, 5), minlength=5)
    assert sizes.sum() == len(KEYS)
    assert sizes.max() - sizes.min() <= 1
    assert np.bincount(fold_numbers(["a"] * 6 + ["b", "c"], 3)).tolist() == [6, 1, 1]


def test_the_order_of_the_utterances_does_not_matter() -> None:
    order = np.random.default_rng(0).permutation(len(KEYS))
    shuffled = fold_numbers([KEYS[place] for place in order], 5)
    assert shuffled == [fold_numbers(KEYS, 5)[place] for place in order]
