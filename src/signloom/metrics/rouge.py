"""ROUGE-L of translations, as sign language translation reports it (Camgöz et al. 2018).

Over tokens, one reference each, the mean of the sentences' F values:

    P = LCS / tokens of the hypothesis,  R = LCS / tokens of the reference
    F = (1 + β²) P R / (R + β² P),  β = 1.2
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

BETA = 1.2


def rouge_l(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    """Give the F value of one sentence, 0 to 1; that of two empty ones is 1.

    Example:
        >>> round(rouge_l("es regnet morgen".split(), "morgen regnet es".split()), 4)
        0.3333
    """
    if not hypothesis or not reference:
        return float(len(hypothesis) == len(reference))
    common = longest_common_subsequence(hypothesis, reference)
    if not common:
        return 0.0
    precision, recall = common / len(hypothesis), common / len(reference)
    return (1 + BETA**2) * precision * recall / (recall + BETA**2 * precision)


def longest_common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """Count the tokens of the longest sequence that both hold in order, with gaps.

    Example:
        >>> longest_common_subsequence("abcbdab", "bdcaba")
        4
    """
    lengths = np.zeros(len(second) + 1, dtype=np.int64)
    for token in first:
        same = np.fromiter((token == other for other in second), np.int64, len(second))
        lengths[1:] = np.maximum.accumulate(np.maximum(lengths[:-1] + same, lengths[1:]))
    return int(lengths[-1])
