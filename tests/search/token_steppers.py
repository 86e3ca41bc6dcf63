"""Small models of tokens: one whose probabilities are written down, and one that remembers."""

from __future__ import annotations

import numpy as np

from signloom.search.tokens import Bounds, Scores

DIM = 5


class Table:
    """The next token depends on the one before alone: `table[before, next]`, a probability.

    Attributes:
        rows: Rows of each step so far.
    """

    def __init__(self, table: list[list[float]]) -> None:
        with np.errstate(divide="ignore"):
            self.logits = np.log(np.array(table, np.float32))
        self.num_tokens = len(table)
        self.rows: list[int] = []

    def begin(self, source: int) -> int:
        return source

    def step(self, tokens: np.ndarray, state: int) -> tuple[Scores, int]:
        assert len(tokens) == state
        self.rows.append(state)
        logits = self.logits[tokens]
        return Scores(logits, logits[None]), state

    def reorder(self, state: int, rows: np.ndarray) -> int:
        assert rows.max() < state
        return len(rows)


class Recurrent:
    """A random recurrent network; its source is the first hidden state of each row [rows, dim].

    It multiplies number by number, so that its rows do not depend on each other in the last bit.
    """

    def __init__(self, num_tokens: int, *, seed: int = 0, favoured: int | None = None) -> None:
        rng = np.random.default_rng(seed)
        self.num_tokens = num_tokens
        self.embedding = rng.normal(size=(num_tokens, DIM))
        self.inner = rng.normal(size=(DIM, DIM))
        self.head = rng.normal(size=(DIM, num_tokens)) * 1.5
        self.bias = np.zeros(num_tokens)
        if favoured is not None:
            self.bias[favoured] = 3
        self.rows: list[int] = []

    def begin(self, source: np.ndarray) -> np.ndarray:
        return source

    def step(self, tokens: np.ndarray, state: np.ndarray) -> tuple[Scores, np.ndarray]:
        self.rows.append(len(tokens))
        hidden = self.follow(tokens, state)
        return self.scores(hidden), hidden

    def reorder(self, state: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return state[rows]

    def follow(self, tokens: np.ndarray, hidden: np.ndarray) -> np.ndarray:
        return np.tanh((hidden[:, :, None] * self.inner).sum(axis=1) + self.embedding[tokens])

    def scores(self, hidden: np.ndarray) -> Scores:
        logits = ((hidden[:, :, None] * self.head).sum(axis=1) + self.bias).astype(np.float32)
        return Scores(logits, logits[None])


class Rereading(Recurrent):
    """The same network without a memory: it keeps all that it was fed and reads it again."""

    def begin(self, source: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return source, np.zeros((len(source), 0), np.int64)

    def step(
        self, tokens: np.ndarray, state: tuple[np.ndarray, np.ndarray]
    ) -> tuple[Scores, tuple[np.ndarray, np.ndarray]]:
        source, fed = state[0], np.column_stack([state[1], tokens])
        hidden = source
        for column in fed.T:
            hidden = self.follow(column, hidden)
        return self.scores(hidden), (source, fed)

    def reorder(
        self, state: tuple[np.ndarray, np.ndarray], rows: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        return state[0][rows], state[1][rows]


def sources(rows: int) -> np.ndarray:
    """Draw what `Recurrent` reads."""
    return np.random.default_rng(11).normal(size=(rows, DIM))


def bounds(
    most: list[int], *, start: int = 1, end: int = 2, banned: tuple[int, ...] = (0, 1)
) -> Bounds:
    """Bound as many rows as there are lengths."""
    starts, lengths = np.full(len(most), start), np.array(most, np.int64)
    return Bounds(starts=starts, end=end, banned=banned, most=lengths)


def row_of(batch: Bounds, row: int) -> Bounds:
    """Bound one row of a batch alone."""
    rows = slice(row, row + 1)
    return Bounds(
        starts=batch.starts[rows], end=batch.end, banned=batch.banned, most=batch.most[rows]
    )
