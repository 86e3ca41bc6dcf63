"""CIDEr and CIDEr-D of captions (Vedantam et al. 2015), the values of pycocoevalcap without Java.

    g_n(c) = counts of n-grams × ln(N / document frequency),  n = 1 … 4
    CIDEr    = 10 · mean_n mean_r cos(g_n(c), g_n(r))
    CIDEr-D  = 10 · mean_n mean_r exp(−(|c| − |r|)² / 2σ²) min(g_n(c), g_n(r)) · g_n(r) / norms

over the references r, with σ = 6 and norms the product of both. What pycocoevalcap calls
CIDEr is CIDEr-D.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

Tokens = Sequence[str]
NGram = tuple[str, ...]
LONGEST = 4
SIGMA = 6.0


class Weighed(NamedTuple):
    """A caption's n-grams by their weights.

    Attributes:
        weights: Weight of each n-gram, for n = 1 to 4.
        norms: Euclidean norm of each of these.
        length: Words.
    """

    weights: tuple[dict[NGram, float], ...]
    norms: tuple[float, ...]
    length: int


class Cider:
    """Scores captions by document frequencies of a corpus.

    Args:
        references: Tokenised captions of each picture of the corpus.
    """

    def __init__(self, references: Sequence[Sequence[Tokens]]) -> None:
        frequencies: Counter[NGram] = Counter()
        for captions in references:
            frequencies.update({ngram for one in captions for ngram in ngrams(one)})
        self._rarest = math.log(len(references)) if references else 0.0
        self._rarities = {
            ngram: self._rarest - math.log(times) for ngram, times in frequencies.items()
        }

    def cook(self, references: Sequence[Tokens]) -> list[Weighed]:
        """Weigh the captions of one picture, once for many hypotheses."""
        return [self.weigh(one) for one in references]

    def weigh(self, caption: Tokens) -> Weighed:
        """Weigh the n-grams of a caption."""
        weights: tuple[dict[NGram, float], ...] = tuple({} for _ in range(LONGEST))
        for ngram, count in Counter(ngrams(caption)).items():
            weights[len(ngram) - 1][ngram] = count * self._rarities.get(ngram, self._rarest)
        norms = tuple(math.sqrt(sum(one * one for one in each.values())) for each in weights)
        return Weighed(weights, norms, len(caption))

    def reward(self, hypothesis: Tokens, references: Sequence[Weighed]) -> float:
        """Give the CIDEr-D of a caption against captions that `cook` has weighed, 0 to 10."""
        return _score(self.weigh(hypothesis), references, is_d=True)

    def score(
        self, hypothesis: Tokens, references: Sequence[Tokens], *, is_d: bool = True
    ) -> float:
        """Give the CIDEr-D, or else the CIDEr, of a caption, 0 to 10.

        Example:
            >>> corpus = [["a cat sleeps".split()], ["two dogs run".split()]]
            >>> round(Cider(corpus).score("a cat sleeps".split(), corpus[0]), 2)
            7.5
        """
        return _score(self.weigh(hypothesis), self.cook(references), is_d=is_d)

    def both(self, hypothesis: Tokens, references: Sequence[Tokens]) -> tuple[float, float]:
        """Give the CIDEr and the CIDEr-D of a caption, which is weighed once for both."""
        own, cooked = self.weigh(hypothesis), self.cook(references)
        return _score(own, cooked, is_d=False), _score(own, cooked, is_d=True)


def ngrams(caption: Tokens) -> list[NGram]:
    """List the n-grams of a caption, n = 1 to 4.

    Example:
        >>> ngrams(["a", "cat", "a"])
        [('a',), ('cat',), ('a',), ('a', 'cat'), ('cat', 'a'), ('a', 'cat', 'a')]
    """
    later = [caption[place:] for place in range(LONGEST)]
    return [ngram for order in range(LONGEST) for ngram in zip(*later[: order + 1], strict=False)]


def _score(own: Weighed, references: Sequence[Weighed], *, is_d: bool) -> float:
    if not references:
        return 0.0
    total = 0.0
    for other in references:
        likeness = sum(_likeness(own, other, order, clipped=is_d) for order in range(LONGEST))
        apart = own.length - other.length
        total += likeness * (math.exp(-(apart**2) / (2 * SIGMA**2)) if is_d else 1.0)
    return 10 * total / LONGEST / len(references)


def _likeness(own: Weighed, other: Weighed, order: int, *, clipped: bool) -> float:
    """Give the cosine of two captions' n-grams, those of the first clipped to the second's."""
    norms = own.norms[order] * other.norms[order]
    if not norms:
        return 0.0
    theirs, product = other.weights[order], 0.0
    for ngram, weight in own.weights[order].items():
        their = theirs.get(ngram)
        if their is not None:
            product += (min(weight, their) if clipped else weight) * their
    return product / norms
