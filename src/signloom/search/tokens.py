"""What the searches for token ids run on, and what they find.

The searches know only numbers. What runs a model (ONNX Runtime, PyTorch, or several models behind
`members.Members`) is a stepper, which is fed the token before and scores the next one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from signloom.errors import ConfigError
from signloom.search.scoring import Doubles, length_penalty_of
from signloom.search.slots import Floats, Ids

State = TypeVar("State")

FIRST_POSITIONS = 32
"""Positions of a stepper's new cache; it doubles when they are used up."""
MAX_BEAM = 64


def check_beam(beam: int) -> None:
    """Refuse a beam that nobody may ask for.

    Raises:
        ConfigError: It keeps nothing, or more than `MAX_BEAM`.
    """
    if not 1 <= beam <= MAX_BEAM:
        raise ConfigError(f"`beam` must be 1 to {MAX_BEAM}, but is {beam}.")


class Scores(NamedTuple):
    """What the next token may be, by the members of a Bayesian average or an ensemble.

    Attributes:
        logits: Mean over the members [rows, tokens].
        members: Each member's own logits [members, rows, tokens]; one member for a single model.
        added: What is added to the log-probabilities of the logits [rows, tokens], at most 0.
        forbidden: Rows and tokens that are never chosen together, two lists of one length.
    """

    logits: Floats
    members: Floats
    added: Doubles | None = None
    forbidden: tuple[Ids, Ids] | None = None


@runtime_checkable
class TokenStepper(Protocol[State]):
    """One token a step. A state belongs to one search and may be changed in place."""

    @property
    def num_tokens(self) -> int:
        """Size of the target vocabulary."""
        ...

    def begin(self, source: Any) -> State:
        """Read a batch of sources; the state has one row for each."""
        ...

    def step(self, tokens: Ids, state: State) -> tuple[Scores, State]:
        """Score the tokens that may follow, fed the token before of each row [rows]."""
        ...

    def reorder(self, state: State, rows: Ids) -> State:
        """Make row `i` the old row `rows[i]`; rows may be repeated or left out."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Bounds:
    """How a search begins and ends, and what it never writes.

    Attributes:
        starts: The token that each row is begun with [rows].
        end: The token that ends a row.
        banned: Tokens that are never chosen, such as the padding and the starts.
        most: Most tokens of each row [rows], the end token included.

    Raises:
        ConfigError: `most` and `starts` differ in rows, a row may have no token, or the end token
            is banned.
    """

    starts: Ids
    end: int
    banned: tuple[int, ...]
    most: Ids

    def __post_init__(self) -> None:
        if len(self.starts) != len(self.most):
            raise ConfigError(
                f"`most` must name a length for each of the {len(self.starts)} rows of `starts`, "
                f"but names {len(self.most)}."
            )
        if (self.most < 1).any():
            raise ConfigError(
                f"`most` must allow each row at least 1 token, but allows {self.most.min()}."
            )
        if self.end in self.banned:
            raise ConfigError(
                f"The end token {self.end} must not be banned: no row could end. "
                "Leave it out of `banned`."
            )

    def check(self, num_tokens: int) -> None:
        """Refuse ids that a vocabulary does not have.

        Raises:
            ConfigError: A start, the end or a banned token lies outside.
        """
        for token in {self.end, *self.banned, *self.starts.tolist()}:
            if not 0 <= token < num_tokens:
                raise ConfigError(
                    f"Every token of `bounds` must be one of the {num_tokens} of the model, "
                    f"but one is {token}. Take them from the model's own vocabulary."
                )


@dataclass(frozen=True)
class Hypothesis:
    """One sequence that a search found.

    Attributes:
        ids: Its tokens, without the end token.
        score: Sum of the log-probabilities (natural), divided by the length penalty.
        log_probs: Log-probability of each token, and of the end token if there is one.
        spreads: For each of these, how far the members are apart: the standard deviation (of the
            members there are, not an estimate for more) of its probability, 0 to 0.5.
        finished: Whether the end token came before the most tokens that were allowed.

    Example:
        >>> found = Hypothesis((7,), -0.5, (math.log(0.5), math.log(0.125)), (0.25, 0.125), True)
        >>> round(found.confidence, 6), found.spread
        (0.25, 0.1875)
    """

    ids: tuple[int, ...]
    score: float
    log_probs: tuple[float, ...]
    spreads: tuple[float, ...]
    finished: bool

    @classmethod
    def of(
        cls,
        ids: list[int],
        log_probs: list[float],
        spreads: list[float],
        *,
        total: float,
        end: int,
        length_penalty: float,
    ) -> Hypothesis:
        """Give tokens that a search has come to, the end token among them if it came, as found.

        Args:
            ids: The tokens.
            log_probs: Their log-probabilities.
            spreads: How far the members are apart on them.
            total: Sum of the log-probabilities.
            end: The end token.
            length_penalty: Exponent of the length.
        """
        finished = ids[-1] == end
        penalty = length_penalty_of(np.array([len(ids)]), alpha=length_penalty)
        return cls(
            ids=tuple(ids[:-1] if finished else ids),
            score=float(total / penalty[0]),
            log_probs=tuple(log_probs),
            spreads=tuple(spreads),
            finished=finished,
        )

    @property
    def confidence(self) -> float:
        """Geometric mean of the probabilities of the tokens, 0 to 1."""
        return math.exp(sum(self.log_probs) / len(self.log_probs))

    @property
    def spread(self) -> float:
        """Mean of `spreads`, 0 to 0.5; 0 for one member."""
        return sum(self.spreads) / len(self.spreads)
