"""Groups of K tokens a step, dealt out one by one (SATIC § 3.3), so that any search runs on them.

The K tokens of a group are independent given all before it. So the model runs once a group, and
its K rows of logits are what token after token is chosen by: a beam is extended position by
position from them, and beginnings that have ended leave in the middle of a group.

Tokens that do not know of one another can be the same: "a dog dog", or "a man in a man". With
`suppress`, no token of a group may be the one before it, nor may one that is decided blindly, which
is any but the first of its group, complete a pair of tokens that the sequence has already.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from signloom.search.slots import Floats, Ids
from signloom.search.tokens import Scores

State = TypeVar("State")


@runtime_checkable
class GroupStepper(Protocol[State]):
    """One group a step. A state belongs to one search and may be changed in place."""

    @property
    def num_tokens(self) -> int:
        """Size of the target vocabulary."""
        ...

    @property
    def group(self) -> int:
        """Tokens that come at once, K."""
        ...

    def begin(self, source: Any) -> State:
        """Read a batch of sources; the state has one row for each."""
        ...

    def step(self, tokens: Ids, state: State) -> tuple[Floats, State]:
        """Score the next group [rows, group, tokens], fed the group before it [rows, group]."""
        ...

    def reorder(self, state: State, rows: Ids) -> State:
        """Make row `i` the old row `rows[i]`; rows may be repeated or left out."""
        ...


@dataclass
class GroupState:
    """Where a search stands within a group.

    Attributes:
        inner: State of the stepper.
        rows: The stepper's row that each row of the search goes on from [rows]; None before the
            first step while they are the stepper's own.
        written: Tokens chosen so far [rows, length]; None before the first step.
        logits: The stepper's last group [its rows, group, tokens]; None before the first.
    """

    inner: Any
    rows: Ids | None = None
    written: Ids | None = None
    logits: Floats | None = None


class Grouped:
    """A `TokenStepper` over a `GroupStepper`.

    Args:
        stepper: Runs the model, a group a step.
        suppress: Whether repeats are forbidden, see above; groups of one are free.
    """

    def __init__(self, stepper: GroupStepper[Any], *, suppress: bool = True) -> None:
        self._stepper, self._suppress = stepper, suppress

    @property
    def num_tokens(self) -> int:
        """Size of the target vocabulary."""
        return self._stepper.num_tokens

    def begin(self, source: Any) -> GroupState:
        """Read a batch of sources."""
        return GroupState(self._stepper.begin(source))

    def step(self, tokens: Ids, state: GroupState) -> tuple[Scores, GroupState]:
        """Score the next token; the model runs where a group begins."""
        group = self._stepper.group
        if state.written is None or state.logits is None:
            state.written = np.zeros((len(tokens), 0), dtype=np.int64)
            logits = self._run(np.repeat(tokens[:, None], group, axis=1), state)
        else:
            state.written = np.concatenate([state.written, tokens[:, None]], axis=1)
            logits = state.logits
            if state.written.shape[1] % group == 0:
                logits = self._run(np.ascontiguousarray(state.written[:, -group:]), state)
        place = state.written.shape[1] % group
        row = logits[:, place] if state.rows is None else logits[state.rows, place]
        forbidden = None
        if self._suppress and group > 1 and state.written.shape[1]:
            forbidden = repeats(state.written, pairs=place > 0)
        return Scores(row, row[None], forbidden=forbidden), state

    def reorder(self, state: GroupState, rows: Ids) -> GroupState:
        """Take rows over; the stepper's own are reordered when it runs again."""
        return replace(
            state,
            rows=rows if state.rows is None else state.rows[rows],
            written=None if state.written is None else state.written[rows],
        )

    def _run(self, fed: Ids, state: GroupState) -> Floats:
        """Run the model on the group before, its rows put in the order of the search's first."""
        if state.rows is not None:
            state.inner = self._stepper.reorder(state.inner, state.rows)
            state.rows = None
        state.logits, state.inner = self._stepper.step(fed, state.inner)
        return state.logits


def repeats(written: Ids, *, pairs: bool = True) -> tuple[Ids, Ids]:
    """List what would repeat the last token, or a pair of tokens.

    Args:
        written: Tokens so far [rows, length], at least one.
        pairs: Whether pairs are listed, too.

    Returns:
        Rows and their tokens.

    Example:
        >>> [each.tolist() for each in repeats(np.array([[3, 1, 3]]))]
        [[0, 0], [3, 1]]
    """
    rows, last = np.arange(len(written)), written[:, -1]
    if not pairs:
        return rows, last
    again, places = np.nonzero(written[:, :-1] == last[:, None])
    return np.concatenate([rows, again]), np.concatenate([last, written[again, places + 1]])
