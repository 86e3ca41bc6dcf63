"""The beginnings that a search goes on with: one row each, of one length, sentence by sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from signloom.search.scoring import Doubles, log_softmax, member_spread
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import Bounds, Hypothesis, Scores


@dataclass(frozen=True, kw_only=True, eq=False)
class Prefixes:
    """Beginnings of equal length.

    Attributes:
        sentences: Which sentence each row is of [rows].
        ids: Tokens so far [rows, length].
        log_probs: Their log-probabilities [rows, length].
        spreads: How far the members are apart on them [rows, length].
        sums: Sum of the log-probabilities [rows].
    """

    sentences: Ids
    ids: Ids
    log_probs: Doubles
    spreads: Doubles
    sums: Doubles

    @classmethod
    def begin(cls, sentences: int) -> Prefixes:
        """Begin with one empty row a sentence."""
        return cls(
            sentences=np.arange(sentences),
            ids=np.zeros((sentences, 0), dtype=np.int64),
            log_probs=np.zeros((sentences, 0)),
            spreads=np.zeros((sentences, 0)),
            sums=np.zeros(sentences),
        )

    def grow(self, parents: Ids, tokens: Ids, log_probs: Doubles, scores: Scores) -> Prefixes:
        """Append a token to some of the rows.

        Args:
            parents: The row that each new one continues [new rows].
            tokens: What it continues it with [new rows].
            log_probs: Log-probabilities of all tokens after each old row [rows, tokens].
            scores: The scores that these were made of.
        """
        gains = log_probs[parents, tokens]
        spreads = member_spread(scores.members, rows=parents, tokens=tokens)
        return Prefixes(
            sentences=self.sentences[parents],
            ids=np.column_stack([self.ids[parents], tokens]),
            log_probs=np.column_stack([self.log_probs[parents], gains]),
            spreads=np.column_stack([self.spreads[parents], spreads]),
            sums=self.sums[parents] + gains,
        )

    def take(self, rows: Ids) -> Prefixes:
        """Keep some rows, in the order given."""
        return Prefixes(
            sentences=self.sentences[rows],
            ids=self.ids[rows],
            log_probs=self.log_probs[rows],
            spreads=self.spreads[rows],
            sums=self.sums[rows],
        )

    def over(self, bounds: Bounds) -> npt.NDArray[np.bool_]:
        """Tell which rows end here: by the end token, or because no further one is allowed."""
        ended = self.ids[:, -1] == bounds.end
        over: npt.NDArray[np.bool_] = ended | (self.ids.shape[1] >= bounds.most[self.sentences])
        return over

    def hypothesis(self, row: int, *, end: int, length_penalty: float) -> Hypothesis:
        """Give a row that ended as what was found."""
        return Hypothesis.of(
            self.ids[row].tolist(),
            self.log_probs[row].tolist(),
            self.spreads[row].tolist(),
            total=self.sums[row],
            end=end,
            length_penalty=length_penalty,
        )


def allowed_log_probs(scores: Scores, bounds: Bounds) -> Doubles:
    """Score every token [rows, tokens], the banned ones at minus infinity.

    What a model gives the banned ones is not shared out among the others: a probability stays the
    model's own.
    """
    log_probs = log_softmax(scores.logits)
    if scores.added is not None:
        log_probs += scores.added
    forbid(log_probs, scores, bounds)
    return log_probs


def forbid(values: Doubles | Floats, scores: Scores, bounds: Bounds) -> None:
    """Put minus infinity, in place, where a token [rows, tokens] is never chosen."""
    values[:, list(bounds.banned)] = -np.inf
    if scores.forbidden is not None:
        values[scores.forbidden] = -np.inf
