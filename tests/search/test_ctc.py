import numpy as np
import pytest

from signloom.search.ctc import collapse, greedy


@pytest.mark.parametrize(
    ("path", "ids"),
    [([], []), ([0, 0], []), ([5], [5]), ([5, 5, 7], [5, 7]), ([5, 0, 5], [5, 5])],
)
def test_repeats_merge_unless_a_blank_parts_them(path: list[int], ids: list[int]) -> None:
    assert collapse(path) == ids


def test_padding_is_not_read() -> None:
    scores = np.full((2, 5, 3), -9, np.float32)
    scores[0, np.arange(5), [1, 1, 0, 2, 2]] = 0
    scores[1, np.arange(5), [2, 0, 1, 1, 1]] = 0
    assert greedy(scores, np.array([5, 2])) == [[1, 2], [2]]


def test_banned_tokens_are_never_read_and_the_blank_always_may_be() -> None:
    log_probs = np.log(np.array([[[0.1, 0.5, 0.4], [0.6, 0.3, 0.1]]], np.float32))
    before = log_probs.copy()
    assert greedy(log_probs, np.array([2]), banned=(0, 1)) == [[2]]
    np.testing.assert_array_equal(log_probs, before)
