"""Greedy search: the most probable token after each token."""

from __future__ import annotations

from typing import Any

import numpy as np

from signloom.search.prefixes import Prefixes, allowed_log_probs
from signloom.search.tokens import Bounds, Hypothesis, State, TokenStepper


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
    live = Prefixes.begin(len(bounds.starts))
    if not len(live.sentences):
        return []
    found: dict[int, Hypothesis] = {}
    state, tokens = stepper.begin(source), bounds.starts
    while True:
        scores, state = stepper.step(tokens, state)
        log_probs = allowed_log_probs(scores, bounds)
        live = live.grow(np.arange(len(tokens)), log_probs.argmax(axis=1), log_probs, scores)
        over = live.over(bounds)
        for row in np.flatnonzero(over):
            found[int(live.sentences[row])] = live.hypothesis(
                int(row), end=bounds.end, length_penalty=length_penalty
            )
        going = np.flatnonzero(~over)
        if not len(going):
            return [found[sentence] for sentence in range(len(bounds.starts))]
        if over.any():
            live, state = live.take(going), stepper.reorder(state, going)
        tokens = live.ids[:, -1]
