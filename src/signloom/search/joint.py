"""Joint decoding of an attention decoder and CTC over one encoder (Hori et al. 2017).

    score(Y) = log p_att(Y) + c · log p_ctc(Y),   c = w / (1 − w)

which ranks as (1 − w) log p_att + w log p_ctc does. Step by step CTC gives the probability of all
labellings that begin so, Ψ(g); a token adds c · (log Ψ(g, token) − log Ψ(g)), and the end adds what
is left to the probability of exactly `g`, so that the sums are those above.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic

import numpy as np

from signloom.errors import ConfigError
from signloom.search.ctc import BLANK
from signloom.search.scoring import Doubles
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import Scores, State, TokenStepper

Ctc = Callable[[], tuple[Floats, Ids]]
"""Gives log-probabilities [rows, steps, tokens] and steps [rows] of what was read last."""


@dataclass
class JointState(Generic[State]):
    """One row a beginning.

    Attributes:
        inner: State of the attention decoder.
        log_probs: Of CTC [rows, steps, tokens]; padding is a certain blank.
        in_token: Log-probability of the paths up to each step that end in its last token.
        in_blank: The same of those that end in a blank [rows, steps + 1].
        begun: log Ψ of the beginning [rows].
        last: Its last token [rows].
        is_new: Whether no token was fed yet.
    """

    inner: State
    log_probs: Doubles
    in_token: Doubles
    in_blank: Doubles
    begun: Doubles
    last: Ids
    is_new: bool = True


class JointStepper(Generic[State]):
    """A `TokenStepper` whose scores count CTC beside the decoder.

    Args:
        stepper: The decoder.
        ctc: What CTC heard of the sources that the decoder began with.
        weight: w, the share of CTC, from 0 to below 1.
        end: Token that ends a sentence.

    Raises:
        ConfigError: The weight does not hold.
    """

    def __init__(self, stepper: TokenStepper[State], ctc: Ctc, *, weight: float, end: int) -> None:
        if not 0 <= weight < 1:
            raise ConfigError(f"`weight` must be from 0 to below 1, but is {weight:g}.")
        self._stepper, self._ctc, self._end = stepper, ctc, end
        self._share = weight / (1 - weight)

    @property
    def num_tokens(self) -> int:
        """Size of the target vocabulary."""
        return self._stepper.num_tokens

    def begin(self, source: Any) -> JointState[State]:
        """Read the sources by both."""
        inner = self._stepper.begin(source)
        found, lengths = self._ctc()
        log_probs = found.astype(np.float64)
        past = np.arange(log_probs.shape[1]) >= lengths[:, None]
        log_probs[past] = np.where(np.arange(log_probs.shape[2]) == BLANK, 0.0, -np.inf)
        rows, steps = log_probs.shape[:2]
        in_blank = np.zeros((rows, steps + 1))
        in_blank[:, 1:] = np.cumsum(log_probs[:, :, BLANK], axis=1)
        return JointState(
            inner,
            log_probs,
            np.full((rows, steps + 1), -np.inf),
            in_blank,
            np.zeros(rows),
            np.full(rows, BLANK),
        )

    def step(self, tokens: Ids, state: JointState[State]) -> tuple[Scores, JointState[State]]:
        """Score the next tokens, fed the token before of each row."""
        scores, inner = self._stepper.step(tokens, state.inner)
        state = replace(state, inner=inner)
        if not state.is_new:
            _grow(state, tokens)
        state.is_new = False
        following = _following(state)
        whole = np.logaddexp(state.in_token[:, -1], state.in_blank[:, -1])
        following[:, self._end] = whole
        with np.errstate(invalid="ignore"):
            gains = np.where(following > -np.inf, following - state.begun[:, None], -np.inf)
        # Of a beginning that CTC gives nothing, nothing can be said.
        gains[state.begun == -np.inf] = 0.0
        added = self._share * np.minimum(gains, 0.0) if self._share else np.zeros_like(gains)
        return Scores(scores.logits, scores.members, added), state

    def reorder(self, state: JointState[State], rows: Ids) -> JointState[State]:
        """Make row `i` the old row `rows[i]`."""
        return JointState(
            self._stepper.reorder(state.inner, rows),
            state.log_probs[rows],
            state.in_token[rows],
            state.in_blank[rows],
            state.begun[rows],
            state.last[rows],
            is_new=state.is_new,
        )


def _entering(state: JointState[Any]) -> Doubles:
    """Give the paths before each step that a token other than the last may follow."""
    return np.logaddexp(state.in_token[:, :-1], state.in_blank[:, :-1])


def _following(state: JointState[Any]) -> Doubles:
    """Give log Ψ of each beginning with each token behind it [rows, tokens]."""
    found = _summed(_entering(state), state.log_probs)
    rows = np.arange(len(found))
    # The same token once more is another token only after a blank.
    own = state.log_probs[rows, :, state.last]
    again = np.logaddexp.reduce(state.in_blank[:, :-1] + own, axis=1)
    found[rows, state.last] = np.where(state.last == BLANK, found[rows, state.last], again)
    return found


def _summed(paths: Doubles, log_probs: Doubles) -> Doubles:
    """Sum over steps what enters each [rows, steps] and goes on by each token."""
    top = paths.max(axis=1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    sums = np.einsum("rs,rst->rt", np.exp(paths - top), np.exp(log_probs))
    with np.errstate(divide="ignore"):
        found: Doubles = np.log(sums) + top
    return found


def _grow(state: JointState[Any], tokens: Ids) -> None:
    """Put a token behind each beginning, in place."""
    rows = np.arange(len(tokens))
    own = state.log_probs[rows, :, tokens]
    entering = np.where((tokens == state.last)[:, None], state.in_blank[:, :-1], _entering(state))
    state.begun = np.logaddexp.reduce(entering + own, axis=1)
    in_token = np.full_like(state.in_token, -np.inf)
    in_blank = np.full_like(state.in_blank, -np.inf)
    for step in range(own.shape[1]):
        in_token[:, step + 1] = np.logaddexp(in_token[:, step], entering[:, step]) + own[:, step]
        in_blank[:, step + 1] = (
            np.logaddexp(in_blank[:, step], in_token[:, step]) + state.log_probs[:, step, BLANK]
        )
    state.in_token, state.in_blank, state.last = in_token, in_blank, tokens.copy()
