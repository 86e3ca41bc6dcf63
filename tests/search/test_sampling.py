"""Sequences are drawn as often as the model says, and nothing that is banned."""

from __future__ import annotations

from collections import Counter

import numpy as np

from signloom.search.sampling import sample
from tests.search.token_steppers import Table, bounds

TABLE = [
    [0.2, 0.2, 0.2, 0.2, 0.2],
    [0.1, 0.1, 0.1, 0.5, 0.2],
    [0.2, 0.2, 0.2, 0.2, 0.2],
    [0.0, 0.2, 0.2, 0.0, 0.6],
    [0.0, 0.0, 1.0, 0.0, 0.0],
]


def test_sequences_come_as_often_as_the_model_says() -> None:
    drawn = sample(
        Table(TABLE), 2, bounds=bounds([9, 9]), samples=4000, rng=np.random.default_rng(5)
    )
    assert [len(each) for each in drawn] == [4000, 4000]
    # After the start 2, 3 and 4 are allowed, by 1 : 5 : 2; after 3 the end and 4, by 1 : 3.
    expected = {(2,): 1 / 8, (3, 2): 5 / 32, (3, 4, 2): 15 / 32, (4, 2): 2 / 8}
    for each in drawn:
        counts = Counter(each)
        assert set(counts) == set(expected)
        for ids, share in expected.items():
            assert abs(counts[ids] / 4000 - share) < 4 * np.sqrt(share * (1 - share) / 4000)


def test_what_has_no_end_by_then_is_cut() -> None:
    [drawn] = sample(Table(TABLE), 1, bounds=bounds([1]), samples=50, rng=np.random.default_rng(0))
    assert {len(ids) for ids in drawn} == {1}
    assert {ids[-1] for ids in drawn} == {2, 3, 4}
