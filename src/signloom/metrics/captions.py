"""Measures of captions against several references, the values of pycocoevalcap without Java.

BLEU-1 to -4 are of the whole corpus, with the reference length that is closest to the caption's;
ROUGE-L takes the best precision and the best recall of a caption's references, β = 1.2; CIDEr and
CIDEr-D take document frequencies from the references. METEOR and SPICE are in `java_captions`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from signloom.metrics.cider import LONGEST, Cider, Tokens, ngrams
from signloom.metrics.rouge import BETA, longest_common_subsequence

_TINY, _SMALL = 1e-15, 1e-9
"""What pycocoevalcap adds to counts, so that nothing is divided by zero."""


class Repeats(NamedTuple):
    """What a model that does not see its own words says twice.

    Attributes:
        words: Share of captions with a word right behind itself.
        pairs: Share of captions that hold a pair of words twice.
    """

    words: float
    pairs: float


def cider_scores(
    cider: Cider, hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> list[tuple[float, float]]:
    """Give CIDEr and CIDEr-D of each caption, 0 to 10."""
    return [cider.both(*pair) for pair in zip(hypotheses, references, strict=True)]


def measure_captions(
    hypotheses: Sequence[Tokens],
    references: Sequence[Sequence[Tokens]],
    *,
    each: Sequence[tuple[float, float]] | None = None,
) -> dict[str, float]:
    """Give `bleu1` to `bleu4` and `rouge_l`, 0 to 1, and `cider` and `cider_d`, 0 to 10.

    Args:
        hypotheses: One caption for each picture.
        references: What people say of each.
        each: Their `cider_scores`, where these are there already.
    """
    pairs = list(zip(hypotheses, references, strict=True))
    scores = cider_scores(Cider(references), hypotheses, references) if each is None else each
    count = max(1, len(pairs))
    measures = {f"bleu{n}": value for n, value in enumerate(corpus_bleu(pairs), start=1)}
    measures["rouge_l"] = sum(rouge_l(*pair) for pair in pairs) / count
    measures["cider"] = sum(plain for plain, _ in scores) / count
    measures["cider_d"] = sum(clipped for _, clipped in scores) / count
    return measures


def corpus_bleu(pairs: Sequence[tuple[Tokens, Sequence[Tokens]]]) -> tuple[float, ...]:
    """Give BLEU-1 to -4 of captions with their references.

    Example:
        >>> [round(one, 3) for one in corpus_bleu([("a b c d".split(), ["a b c e".split()])])]
        [0.75, 0.707, 0.63, 0.0]
    """
    guessed, correct = [0] * LONGEST, [0] * LONGEST
    written = wanted = 0
    for hypothesis, references in pairs:
        own = Counter(ngrams(hypothesis))
        most: Counter[tuple[str, ...]] = Counter()
        for one in references:
            theirs = Counter(ngrams(one))
            for ngram in own.keys() & theirs.keys():
                most[ngram] = max(most[ngram], theirs[ngram])
        for ngram, times in own.items():
            guessed[len(ngram) - 1] += times
            correct[len(ngram) - 1] += min(times, most[ngram])
        length = len(hypothesis)
        written += length
        wanted += min((abs(len(one) - length), len(one)) for one in references)[1]
    penalty = min(1.0, math.exp(1 - 1 / ((written + _TINY) / (wanted + _SMALL))))
    scores, product = [], 1.0
    for order, (right, all_of) in enumerate(zip(correct, guessed, strict=True), start=1):
        product *= (right + _TINY) / (all_of + _SMALL)
        scores.append(penalty * product ** (1 / order))
    return tuple(scores)


def rouge_l(hypothesis: Tokens, references: Sequence[Tokens]) -> float:
    """Give the F value of the best precision and the best recall over the references."""
    common = [longest_common_subsequence(hypothesis, one) for one in references]
    if not hypothesis or not any(common):
        return 0.0
    precision = max(common) / len(hypothesis)
    recall = max(one / len(words) for one, words in zip(common, references, strict=True) if words)
    return (1 + BETA**2) * precision * recall / (recall + BETA**2 * precision)


def repeat_rates(captions: Sequence[Tokens]) -> Repeats:
    """Count the captions that repeat themselves.

    Example:
        >>> repeat_rates(["a dog dog runs".split(), "a man and a man".split(), "a cat".split()])
        Repeats(words=0.3333333333333333, pairs=0.3333333333333333)
    """
    words = sum(_repeats_word(one) for one in captions)
    pairs = sum(_repeats_pair(one) for one in captions)
    count = max(1, len(captions))
    return Repeats(words / count, pairs / count)


def _repeats_word(caption: Tokens) -> bool:
    return any(one == other for one, other in pairwise(caption))


def _repeats_pair(caption: Tokens) -> bool:
    pairs = list(pairwise(caption))
    return len(set(pairs)) < len(pairs)
