"""Greedy search: the most probable token after each token."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from signloom.search.prefixes import forbid
from signloom.search.scoring import Doubles, log_totals, member_spread
from signloom.search.slots import Ids
from signloom.search.tokens import Bounds, Hypothesis, Scores, State, TokenStepper


def greedy_search(
    stepper: TokenStepper[State], source: Any, *, bounds: Bounds, length_penalty: float = 0.0
) -> list[Hypothesis]:
    """Decode a batch, a sentence a row; rows that have ended leave the batch.

    Of equally probable tokens the one with the lowest id is taken.

    Args:
        stepper: Runs the model.
        source: What `stepper` reads.
        bounds: Starts, end and most tokens of the rows.
        length_penalty: Exponent of the length in the score; changes no choice.

    Raises:
        ConfigError: `bounds` names tokens that the model does not have.
    """
    bounds.check(stepper.num_tokens)
    if not len(bounds.starts):
        return []
    live = np.arange(len(bounds.starts))
    found = [_Found() for _ in live]
    state, tokens = stepper.begin(source), bounds.starts
    for length in count(1):
        scores, state = stepper.step(tokens, state)
        tokens, log_probs = _best(scores, bounds)
        spreads = member_spread(scores.members, rows=np.arange(len(tokens)), tokens=tokens)
        for row, *choice in zip(live, tokens.tolist(), log_probs, spreads, strict=True):
            found[row].add(*choice)
        going = np.flatnonzero((tokens != bounds.end) & (length < bounds.most[live]))
        if not len(going):
            break
        if len(going) < len(live):
            live, tokens = live[going], tokens[going]
            state = stepper.reorder(state, going)
    return [one.hypothesis(bounds.end, length_penalty=length_penalty) for one in found]


@dataclass
class _Found:
    """What has been found of one sentence so far."""

    ids: list[int] = field(default_factory=list)
    log_probs: list[float] = field(default_factory=list)
    spreads: list[float] = field(default_factory=list)

    def add(self, token: int, log_prob: float, spread: float) -> None:
        self.ids.append(token)
        self.log_probs.append(float(log_prob))
        self.spreads.append(float(spread))

    def hypothesis(self, end: int, *, length_penalty: float) -> Hypothesis:
        return Hypothesis.of(
            self.ids,
            self.log_probs,
            self.spreads,
            total=sum(self.log_probs),
            end=end,
            length_penalty=length_penalty,
        )


def _best(scores: Scores, bounds: Bounds) -> tuple[Ids, Doubles]:
    """Give the most probable token of each row that is allowed, and its log-probability.

    As `prefixes.allowed_log_probs`, but of one token alone.
    """
    allowed = scores.logits.copy() if scores.added is None else scores.logits + scores.added
    forbid(allowed, scores, bounds)
    tokens = allowed.argmax(axis=1)
    best = allowed[np.arange(len(tokens)), tokens].astype(np.float64)
    log_probs: Doubles = best - log_totals(scores.logits)
    return tokens, log_probs
