"""Edit distance between token sequences, and the error rates made of it.

Unit costs. A rate is the sum of all errors over the sum of all reference lengths, so that long
references weigh more; it can exceed 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class EditCounts:
    """Errors of a hypothesis against its reference.

    Attributes:
        substitutions: Reference tokens read as another token.
        deletions: Reference tokens that the hypothesis lacks.
        insertions: Tokens of the hypothesis that the reference lacks.
        length: Tokens of the reference.
    """

    substitutions: int
    deletions: int
    insertions: int
    length: int

    @property
    def errors(self) -> int:
        """All errors."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> float:
        """Errors per reference token; infinite if only an empty reference was missed."""
        if self.length == 0:
            return float("inf") if self.errors else 0.0
        return self.errors / self.length

    def __add__(self, other: EditCounts) -> EditCounts:
        return EditCounts(
            self.substitutions + other.substitutions,
            self.deletions + other.deletions,
            self.insertions + other.insertions,
            self.length + other.length,
        )


def edit_counts(hypothesis: Sequence[str], reference: Sequence[str]) -> EditCounts:
    """Count the fewest edits that turn the reference into the hypothesis.

    Among equally short ways, one with as many substitutions as possible is counted.

    Example:
        >>> edit_counts("hxllo!", "hello")
        EditCounts(substitutions=1, deletions=0, insertions=1, length=5)
    """
    substitutions = deletions = insertions = 0
    for wanted, made in _alignment(hypothesis, reference):
        if wanted is None:
            insertions += 1
        elif made is None:
            deletions += 1
        else:
            substitutions += reference[wanted] != hypothesis[made]
    return EditCounts(substitutions, deletions, insertions, len(reference))


def kept_tokens(hypothesis: Sequence[str], reference: Sequence[str]) -> list[bool]:
    """Say of each token of the hypothesis whether the fewest edits leave it as it is.

    Example:
        >>> kept_tokens("hxllo!", "hello")
        [True, False, True, True, True, False]
    """
    kept = [False] * len(hypothesis)
    for wanted, made in _alignment(hypothesis, reference):
        if wanted is not None and made is not None:
            kept[made] = reference[wanted] == hypothesis[made]
    return kept


def error_rate(pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> float:
    """Give the error rate of pairs (hypothesis, reference), in tokens.

    Example:
        >>> error_rate([("ab", "ab"), ("b", "ab")])
        0.25
    """
    return sum((edit_counts(*pair) for pair in pairs), EditCounts(0, 0, 0, 0)).rate


def fold(tokens: Sequence[str], look_alikes: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Replace each token by the first of its look-alike group, so that the group counts as one.

    Example:
        >>> fold("ďas", [("d", "ď")])
        ('d', 'a', 's')
    """
    first = {token: group[0] for group in map(tuple, look_alikes) for token in group}
    return tuple(first.get(token, token) for token in tokens)


def _alignment(
    hypothesis: Sequence[str], reference: Sequence[str]
) -> Iterator[tuple[int | None, int | None]]:
    """Pair places of the reference and of the hypothesis by the fewest edits, last pair first."""
    table = _edit_table(hypothesis, reference)
    row, column = len(reference), len(hypothesis)
    while row or column:
        here = table[row, column]
        if row and column:
            differs = int(reference[row - 1] != hypothesis[column - 1])
            if here == table[row - 1, column - 1] + differs:
                row, column = row - 1, column - 1
                yield row, column
                continue
        if row and here == table[row - 1, column] + 1:
            row -= 1
            yield row, None
        else:
            column -= 1
            yield None, column


def _edit_table(hypothesis: Sequence[str], reference: Sequence[str]) -> NDArray[np.int64]:
    table = np.zeros((len(reference) + 1, len(hypothesis) + 1), dtype=np.int64)
    table[:, 0] = np.arange(len(reference) + 1)
    steps = np.arange(len(hypothesis) + 1)
    table[0] = steps
    for row, token in enumerate(reference, start=1):
        differs = np.fromiter((token != other for other in hypothesis), np.int64, len(hypothesis))
        table[row, 1:] = np.minimum(table[row - 1, :-1] + differs, table[row - 1, 1:] + 1)
        table[row] = np.minimum.accumulate(table[row] - steps) + steps
    return table
