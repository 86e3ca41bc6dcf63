"""ROUGE-L is that of the field."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from signloom.metrics.rouge import longest_common_subsequence, rouge_l


def longest_by_trying(first: str, second: str) -> int:
    """Try every selection of the first, the longest first."""

    def holds(selection: tuple[str, ...]) -> bool:
        rest = iter(second)
        return all(token in rest for token in selection)

    return next(
        size for size in range(len(first), -1, -1) if any(map(holds, combinations(first, size)))
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_longest_common_subsequence_is_that_of_all_selections(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = ("".join(rng.choice(list("abc"), size)) for size in (7, 9))
    assert longest_common_subsequence(first, second) == longest_by_trying(first, second)
    assert longest_common_subsequence(second, first) == longest_by_trying(first, second)


def test_a_sentence_by_hand() -> None:
    # Common: `a c d`; precision 3/4, recall 3/5.
    expected = 2.44 * (3 / 4) * (3 / 5) / (3 / 5 + 1.44 * 3 / 4)
    assert rouge_l(list("acxd"), list("abcde")) == pytest.approx(expected)


def test_the_same_is_one_and_nothing_in_common_is_none() -> None:
    assert rouge_l(["a", "b"], ["a", "b"]) == 1
    assert rouge_l(["a", "b"], ["c"]) == 0
    assert (rouge_l([], ["a"]), rouge_l(["a"], []), rouge_l([], [])) == (0, 0, 1)
