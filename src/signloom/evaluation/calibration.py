"""Does a translator know when it is right? Confidence against what came of it.

A token is right if a shortest way of edits from the reference to the translation keeps it. The
expected calibration error (Guo et al. 2017, eq. 3) is the mean distance of confidence and share of
right tokens over bins, weighed by their counts. A sentence has no right or wrong: its confidence is
ranked against how good it is, as is the spread of the members that voted on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from signloom.metrics.text import kept_tokens
from signloom.search.tokens import Hypothesis

TOKEN_BINS = 10
SENTENCE_BINS = 5
Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Bin:
    """Tokens or sentences that a translator is about equally sure of.

    Attributes:
        count: How many.
        sureness: Their mean confidence, 0 to 1, or spread, 0 to 0.5.
        outcome: Share of right tokens, 0 to 1, or mean quality of the sentences.
    """

    count: int
    sureness: float
    outcome: float


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """Confidence against outcome."""

    tokens: tuple[Bin, ...]
    """Tokens by confidence, in bins of equal width that are not empty."""
    token_error: float
    """Expected calibration error of tokens, percent; NaN without a token."""
    sentences: tuple[Bin, ...]
    """Sentences by confidence, in bins of about equally many."""
    correlation: float
    """Rank correlation (Spearman) of a sentence's confidence with its quality; NaN if one of the
    two is the same throughout."""
    spreads: tuple[Bin, ...]
    """Sentences by the spread of the members, likewise; empty for one member."""
    spread_correlation: float
    """Rank correlation of a sentence's spread with its quality; a useful spread has it below 0."""


def calibrate(
    hypotheses: Sequence[Hypothesis],
    made: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    qualities: Sequence[float],
) -> Calibration:
    """Compare confidence with outcome.

    Args:
        hypotheses: What was found for each sentence.
        made: Their tokens, without the end token, of which nobody can say whether it was right.
        references: Tokens of the references.
        qualities: How good each sentence is, more is better, such as its BLEU.
    """
    right = [
        kept
        for tokens, wanted in zip(made, references, strict=True)
        for kept in kept_tokens(tokens, wanted)
    ]
    sure = [
        probability
        for one in hypotheses
        for probability in np.exp(one.log_probs[: len(one.ids)]).tolist()
    ]
    outcome = np.asarray(qualities, dtype=np.float64)
    confidences = np.array([one.confidence for one in hypotheses])
    spreads = np.array([one.spread for one in hypotheses])
    tokens = _equal_widths(np.array(sure), np.array(right, dtype=np.float64))
    return Calibration(
        tokens=tokens,
        token_error=_expected_error(tokens),
        sentences=_equal_counts(confidences, outcome),
        correlation=rank_correlation(confidences, outcome),
        spreads=_equal_counts(spreads, outcome) if spreads.any() else (),
        spread_correlation=rank_correlation(spreads, outcome),
    )


def rank_correlation(first: Doubles, second: Doubles) -> float:
    """Give Spearman's rank correlation, equals sharing their mean rank; NaN where one is constant.

    Example:
        >>> round(rank_correlation(np.array([1.0, 2, 2, 9]), np.array([3.0, 5, 4, 8])), 4)
        0.9487
    """
    ranks = [_ranks(values) for values in (first, second)]
    if any(len(set(one.tolist())) < 2 for one in ranks):
        return float("nan")
    return float(np.asarray(np.corrcoef(ranks))[0, 1])


def _ranks(values: Doubles) -> Doubles:
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places])


def _equal_widths(sure: Doubles, right: Doubles) -> tuple[Bin, ...]:
    places = np.minimum((sure * TOKEN_BINS).astype(np.int64), TOKEN_BINS - 1)
    return tuple(_bin(sure[places == one], right[places == one]) for one in np.unique(places))


def _equal_counts(sure: Doubles, outcome: Doubles) -> tuple[Bin, ...]:
    order = np.argsort(sure, kind="stable")
    parts = np.array_split(order, min(SENTENCE_BINS, len(order)) or 1)
    return tuple(_bin(sure[part], outcome[part]) for part in parts if len(part))


def _bin(sure: Doubles, outcome: Doubles) -> Bin:
    return Bin(len(sure), float(sure.mean()), float(outcome.mean()))


def _expected_error(bins: Sequence[Bin]) -> float:
    count = sum(one.count for one in bins)
    if not count:
        return float("nan")
    return 100 * sum(one.count * abs(one.sureness - one.outcome) for one in bins) / count
