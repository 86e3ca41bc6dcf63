"""An n-gram language model over token ids: how probable a token is after the ones before it.

Interpolated by Witten and Bell's method C (1991; Chen and Goodman 1998, § 2.5):

    p(w | h) = (c(h w) + t(h) p(w | h')) / (c(h) + t(h))

where c counts, t(h) is how many different tokens follow h, and h' is h without its oldest token;
below the unigrams every token and the end are equally probable. Of a history that training never
had, p(w | h) = p(w | h').

Id 0, which is no token of a labelling, is the edge of a sentence: before it where it stands in a
history, and its end where it is the token.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from signloom.errors import FormatError
from signloom.search.scoring import Doubles
from signloom.search.slots import Ids

EDGE = 0
DEFAULT_ORDER = 3
MAX_ORDER = 8
MAX_NGRAMS = 1_000_000
MAX_COUNT = 10**9
CACHED = 4096
"""Histories whose probabilities are kept; those of a search come again at nearly every step."""

History = tuple[int, ...]


def count(sentences: Iterable[Sequence[int]], order: int = DEFAULT_ORDER) -> list[list[int]]:
    """Count the n-grams of training sentences, each token and each end after its history.

    Shorter n-grams need no counts of their own: they are sums over these.

    Args:
        sentences: Token ids of each, none of them 0.
        order: Tokens of an n-gram, 1 to 8.

    Returns:
        `[*ids, count]` of each n-gram, sorted: what `vocabulary.json` holds as `ngrams`.

    Example:
        >>> count([[5, 7], [5]], order=2)
        [[0, 5, 2], [5, 0, 1], [5, 7, 1], [7, 0, 1]]
    """
    found: Counter[History] = Counter()
    for sentence in sentences:
        padded = (*[EDGE] * (order - 1), *map(int, sentence), EDGE)
        found.update(padded[place : place + order] for place in range(len(padded) - order + 1))
    return [[*ids, times] for ids, times in sorted(found.items())]


class NgramModel:
    """Interpolated probabilities of every token and of the end, after any history.

    Attributes:
        order: Tokens of its longest n-grams.
        num_tokens: Size of the vocabulary, with id 0.
    """

    def __init__(
        self, followers: dict[History, tuple[Ids, Doubles]], *, order: int, num_tokens: int
    ) -> None:
        self.order, self.num_tokens = order, num_tokens
        self._followers = followers
        self._probabilities = lru_cache(maxsize=CACHED)(self._interpolated)
        self._log_probs = lru_cache(maxsize=CACHED)(self._logged)

    @classmethod
    def of(cls, counts: object, num_tokens: int) -> NgramModel:
        """Make the model of counts as `count` gives them.

        Args:
            counts: `[*ids, count]` of each n-gram, all of one order; checked, as they come out of
                a file.
            num_tokens: Size of the vocabulary, with id 0.

        Raises:
            FormatError: They are no such list, too many, or name tokens that there are not.
        """
        checked = _checked(counts, num_tokens)
        sums: defaultdict[History, Counter[int]] = defaultdict(Counter)
        for *history, token, times in checked:
            for start in range(len(history) + 1):
                sums[tuple(history[start:])][token] += times
        followers = {
            history: (
                np.array(list(tokens), dtype=np.int64),
                np.array(list(tokens.values()), dtype=np.float64),
            )
            for history, tokens in sums.items()
        }
        return cls(followers, order=len(checked[0]) - 1, num_tokens=num_tokens)

    def context(self, tokens: Sequence[int]) -> History:
        """Give the history that decides what follows a beginning: its last tokens, filled up.

        Example:
            >>> NgramModel.of([[0, 0, 2, 1]], num_tokens=3).context([7])
            (0, 7)
        """
        kept = self.order - 1
        return (*[EDGE] * (kept - len(tokens)), *tokens[max(0, len(tokens) - kept) :])

    def log_probs(self, context: History) -> Doubles:
        """Give the natural log-probability of each token, and at 0 of the end [num_tokens].

        Args:
            context: As `context` gives it. The array must not be changed: it is kept.
        """
        return self._log_probs(context)

    def score(self, history: Sequence[int], token: int) -> float:
        """Give the natural log-probability of a token, or of the end if it is 0.

        Args:
            history: All tokens of the sentence before it.
            token: Its id.
        """
        return float(self.log_probs(self.context(history))[token])

    def _logged(self, context: History) -> Doubles:
        values: Doubles = np.log(self._probabilities(context))
        values.setflags(write=False)
        return values

    def _interpolated(self, context: History) -> Doubles:
        lower: Doubles = (
            self._probabilities(context[1:])
            if context
            else np.full(self.num_tokens, 1 / self.num_tokens)
        )
        if context not in self._followers:
            return lower
        tokens, counts = self._followers[context]
        total = counts.sum()
        probabilities: Doubles = lower * len(tokens) / (total + len(tokens))
        probabilities[tokens] += counts / (total + len(tokens))
        return probabilities


def _checked(counts: object, num_tokens: int) -> list[list[int]]:
    if not isinstance(counts, list | tuple) or not 1 <= len(counts) <= MAX_NGRAMS:
        raise FormatError(
            f"`ngrams` must be a list of 1 to {MAX_NGRAMS} n-grams, but is {str(counts)[:40]}."
        )
    width = len(counts[0]) if isinstance(counts[0], list | tuple) else 0
    seen = set()
    for row in counts:
        if not _is_ngram(row, width, num_tokens) or tuple(row[:-1]) in seen:
            raise FormatError(
                f"Every one of `ngrams` must be 1 to {MAX_ORDER} ids below {num_tokens}, as many "
                f"as the first has and different from the others, and a count from 1 to "
                f"{MAX_COUNT}, but one is {str(row)[:60]}."
            )
        seen.add(tuple(row[:-1]))
    return [list(row) for row in counts]


def _is_ngram(row: object, width: int, num_tokens: int) -> bool:
    if not isinstance(row, list | tuple) or not 2 <= len(row) == width <= MAX_ORDER + 1:
        return False
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in row):
        return False
    *ids, times = row
    return 1 <= times <= MAX_COUNT and all(0 <= one < num_tokens for one in ids)
