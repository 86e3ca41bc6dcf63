"""Beginnings of labellings as a tree: one number each, whatever leads to it."""

from __future__ import annotations

ROOT = 0
NONE = -1
"""The number of no beginning."""


class PrefixTree:
    """Numbers beginnings, the empty one 0.

    A beginning that leaves a beam and comes back has the number that it had, so that two rows of a
    beam are the same beginning exactly when their numbers are equal.
    """

    def __init__(self) -> None:
        self.parents = [NONE]
        self.tokens = [0]
        self._numbers: dict[tuple[int, int], int] = {}

    def child(self, parent: int, token: int) -> int:
        """Give the number of a beginning with one more token."""
        number = self._numbers.setdefault((parent, token), len(self.parents))
        if number == len(self.parents):
            self.parents.append(parent)
            self.tokens.append(token)
        return number

    def ids(self, number: int, *, most: int | None = None) -> tuple[int, ...]:
        """Give the tokens of a beginning, or only the last few.

        Example:
            >>> tree = PrefixTree()
            >>> tree.ids(tree.child(tree.child(0, 5), 7)), tree.ids(2, most=1)
            ((5, 7), (7,))
        """
        found: list[int] = []
        while number > ROOT and (most is None or len(found) < most):
            found.append(self.tokens[number])
            number = self.parents[number]
        return tuple(reversed(found))
