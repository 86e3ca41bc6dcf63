from __future__ import annotations

import numpy as np
import pytest

from signloom.data.corpora.pacing import draw_pace, fixed_pace, share, transition_frames


@pytest.mark.parametrize("num_tokens", [1, 5, 11, 23, 28])
def test_drawn_paces_stay_in_their_range(num_tokens: int) -> None:
    rng = np.random.default_rng(0)
    counts = np.stack([draw_pace(num_tokens, rng) for _ in range(300)])
    assert counts.min() >= 6
    assert counts.max() <= 14
    assert counts.sum(axis=1).max() <= 288
    assert np.ptp(counts.mean(axis=1)) > 1.5


@pytest.mark.parametrize(("num_tokens", "total"), [(1, 6), (3, 20), (7, 113), (28, 288)])
def test_frames_are_shared_out_evenly_and_completely(num_tokens: int, total: int) -> None:
    counts = share(num_tokens, total)
    assert counts.sum() == total
    assert np.ptp(counts) <= 1


def test_a_fixed_pace_is_exact_on_average() -> None:
    assert fixed_pace(4, 7.5).sum() == 30


def test_transitions_are_a_third_of_the_pace_but_at_least_three_frames() -> None:
    assert transition_frames(np.array([6, 8, 10, 14])).tolist() == [3, 3, 4, 5]
