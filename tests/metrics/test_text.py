import numpy as np
import pytest

from signloom.metrics.text import EditCounts, edit_counts, error_rate, fold


def naive_distance(first: str, second: str) -> int:
    table = {(row, 0): row for row in range(len(first) + 1)}
    table |= {(0, column): column for column in range(len(second) + 1)}
    for row, a in enumerate(first, start=1):
        for column, b in enumerate(second, start=1):
            table[row, column] = min(
                table[row - 1, column] + 1,
                table[row, column - 1] + 1,
                table[row - 1, column - 1] + (a != b),
            )
    return table[len(first), len(second)]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("", "", EditCounts(0, 0, 0, 0)),
        ("", "abc", EditCounts(0, 3, 0, 3)),
        ("abc", "", EditCounts(0, 0, 3, 0)),
        ("abc", "abc", EditCounts(0, 0, 0, 3)),
        ("axc", "abc", EditCounts(1, 0, 0, 3)),
        ("ac", "abc", EditCounts(0, 1, 0, 3)),
        ("abbc", "abc", EditCounts(0, 0, 1, 3)),
    ],
)
def test_each_kind_of_error_is_counted_apart(
    hypothesis: str, reference: str, expected: EditCounts
) -> None:
    assert edit_counts(hypothesis, reference) == expected


def test_errors_equal_the_naive_edit_distance() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        first, second = ("".join(rng.choice(list("abc"), size=rng.integers(0, 9))) for _ in "12")
        counts = edit_counts(first, second)
        assert counts.errors == naive_distance(first, second)
        assert counts.insertions - counts.deletions == len(first) - len(second)


def test_rate_is_a_ratio_of_sums() -> None:
    assert error_rate([("ab", "ab"), ("b", "abcdef")]) == pytest.approx(5 / 8)


def test_missing_an_empty_reference_is_infinitely_wrong() -> None:
    assert edit_counts("a", "").rate == float("inf")
    assert edit_counts("", "").rate == 0.0


def test_look_alikes_count_as_one_letter() -> None:
    pairs = [("d", "ď"), ("i", "y")]
    assert edit_counts(fold("ďy", pairs), fold("di", pairs)).errors == 0
    assert fold(("h", "<rep>"), pairs) == ("h", "<rep>")
