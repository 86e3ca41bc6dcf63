"""Beam search: the best few beginnings of each sentence, a token at a time.

In each step the best `beam` continuations of a sentence are kept. Those that end leave the beam
for the finished ones, and the others fill it again. So a beam of 1 is greedy search, and a beam
that no sequence falls out of is exhaustive search.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from signloom.errors import ConfigError
from signloom.search.prefixes import Prefixes, allowed_log_probs
from signloom.search.scoring import best_places, length_penalty_of
from signloom.search.slots import Ids
from signloom.search.tokens import Bounds, Hypothesis, Scores, State, TokenStepper


def beam_search(
    stepper: TokenStepper[State],
    source: Any,
    *,
    bounds: Bounds,
    beam: int,
    length_penalty: float,
    best: int = 1,
) -> list[list[Hypothesis]]:
    """Decode a batch; a sentence ends when nothing in its beam can still be among its best.

    Of equal continuations that of the better beginning is taken, and then the token with the
    lowest id. Rows that reach the most tokens allowed are scored as they are.

    Args:
        stepper: Runs the model.
        source: What `stepper` reads.
        bounds: Starts, end and most tokens of the rows.
        beam: Beginnings kept of each sentence.
        length_penalty: Exponent of the length, end token included, that a sum of log-probabilities
            is divided by (Wu et al. 2016, GNMT, eq. 14); 0 compares the sums themselves.
        best: Hypotheses wanted of each sentence, at most `beam`.

    Returns:
        The best hypotheses of each sentence, best first; fewer where there are no more.

    Raises:
        ConfigError: An argument does not hold.
    """
    _check(beam, length_penalty, best)
    bounds.check(stepper.num_tokens)
    finished = _Finished(bounds, length_penalty=length_penalty, best=best)
    live = Prefixes.begin(len(bounds.starts))
    if not len(live.sentences):
        return []
    state, tokens = stepper.begin(source), bounds.starts
    while True:
        scores, state = stepper.step(tokens, state)
        live, parents = _grow(live, scores, bounds, beam=beam)
        going = finished.part(live)
        if not len(going):
            return finished.best
        live, parents = live.take(going), parents[going]
        if not np.array_equal(parents, np.arange(len(tokens))):
            state = stepper.reorder(state, parents)
        tokens = live.ids[:, -1]


class _Finished:
    """The best hypotheses of each sentence that have ended.

    Attributes:
        best: Of each sentence, best first; of equal ones the one that ended first.
    """

    def __init__(self, bounds: Bounds, *, length_penalty: float, best: int) -> None:
        self.best: list[list[Hypothesis]] = [[] for _ in bounds.starts]
        self._bounds, self._length_penalty, self._kept = bounds, length_penalty, best
        # A sum only falls and its penalty only grows: no continuation scores more than this one.
        self._largest = length_penalty_of(bounds.most, alpha=length_penalty)
        # What a continuation must beat: the worst one kept, once there are as many as wanted.
        self._worst = np.full(len(bounds.starts), -np.inf)

    def part(self, prefixes: Prefixes) -> Ids:
        """Take in the rows that end here, and tell which rows are worth going on with."""
        over = prefixes.over(self._bounds)
        for row in np.flatnonzero(over):
            hypothesis = prefixes.hypothesis(
                int(row), end=self._bounds.end, length_penalty=self._length_penalty
            )
            self._keep(int(prefixes.sentences[row]), hypothesis)
        # A row that is left out here changes nothing for the others of its sentence: what takes
        # its place in the beam has no larger sum, and so no hope either.
        highest = prefixes.sums / self._largest[prefixes.sentences]
        return np.flatnonzero(~over & (highest > self._worst[prefixes.sentences]))

    def _keep(self, sentence: int, hypothesis: Hypothesis) -> None:
        kept = [*self.best[sentence], hypothesis]
        kept.sort(key=lambda one: -one.score)
        self.best[sentence] = kept[: self._kept]
        if len(kept) >= self._kept:
            self._worst[sentence] = self.best[sentence][-1].score


def _grow(live: Prefixes, scores: Scores, bounds: Bounds, *, beam: int) -> tuple[Prefixes, Ids]:
    """Continue each sentence by its best tokens; give the new rows and those they continue."""
    log_probs = allowed_log_probs(scores, bounds)
    tokens, gains = best_places(log_probs, count=min(beam, log_probs.shape[1]))
    parents = np.repeat(np.arange(len(tokens)), tokens.shape[1])
    tokens = tokens.ravel()
    sums = live.sums[parents] + gains.ravel()
    sentences = live.sentences[parents]
    # Rows come by sentence, the better first, and this sort leaves equals in their order.
    order = np.lexsort((-sums, sentences))
    ranks = np.arange(len(order)) - np.searchsorted(sentences, sentences[order])
    chosen = order[(ranks < beam) & (sums[order] > -np.inf)]
    parents, tokens = parents[chosen], tokens[chosen]
    return live.grow(parents, tokens, log_probs, scores), parents


def _check(beam: int, length_penalty: float, best: int) -> None:
    if beam < 1:
        raise ConfigError(f"`beam` must be at least 1, but is {beam}.")
    if not 1 <= best <= beam:
        raise ConfigError(
            f"`best` must be 1 to `beam`, {beam}, but is {best}. Choose a wider beam."
        )
    if not length_penalty >= 0:
        raise ConfigError(
            f"`length_penalty` must be at least 0, but is {length_penalty}: below it short "
            "sentences would be rewarded without bound."
        )
