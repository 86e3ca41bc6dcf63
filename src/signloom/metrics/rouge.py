"""ROUGE-L of translations, as sign language translation reports it (Camgöz et al. 2018).

Over tokens, one reference each, the mean of the sentences' F values:

    P = LCS / tokens of the hypothesis,  R = LCS / tokens of the reference
    F = (1 + β²) P R / (R + β² P),  β = 1.2
"""

from __future__ import annotations

from collections.abc import Sequence

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
    # A bit for each place of the second, 0 where a row of the table rises (Hyyrö 2004).
    places: dict[str, int] = {}
    for place, token in enumerate(second):
        places[token] = places.get(token, 0) | 1 << place
    every = flat = (1 << len(second)) - 1
    for token in first:
        matches = flat & places.get(token, 0)
        flat = (flat + matches) | (flat - matches)
    return len(second) - (flat & every).bit_count()
