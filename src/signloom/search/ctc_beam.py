"""CTC prefix beam search: the most probable labellings, each summed over all paths that read it.

Graves' prefix search as a beam (Graves 2012, § 7.5; Hannun et al. 2014, algorithm 1), in the log
domain. A beginning of a labelling is kept by two numbers: the sum over its paths that end in a
blank, and over those that end in its last token. A beam that no beginning falls out of gives the
exact probabilities.

With a language model the beginnings are compared by shallow fusion (Gulcehre et al. 2015):

    log p(labelling | signing) + weight * log p(labelling, end) + bonus * tokens
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from signloom.errors import ConfigError
from signloom.search.ctc import BLANK
from signloom.search.ngram import EDGE, NgramModel
from signloom.search.prefix_tree import NONE, ROOT, PrefixTree
from signloom.search.scoring import Doubles, best_places
from signloom.search.slots import Floats, Ids

Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Fusion:
    """What is added to the score of a labelling beside what is seen.

    Attributes:
        model: The language model, or None.
        weight: What its natural log-probability counts, at least 0.
        bonus: Added for each token, as a language model favours few.
    """

    model: NgramModel | None = None
    weight: float = 0.0
    bonus: float = 0.0


@dataclass(frozen=True)
class Labelling:
    """One reading that a search found.

    Attributes:
        ids: Its tokens.
        log_prob: Natural log-probability by CTC alone, summed over the paths that were kept.
        score: The same with what the fusion adds.
    """

    ids: tuple[int, ...]
    log_prob: float
    score: float


def ctc_beam(
    log_probs: Floats,
    lengths: Ids,
    *,
    beam: int,
    best: int = 1,
    fusion: Fusion | None = None,
    allowed: Sequence[int] | None = None,
) -> list[list[Labelling]]:
    """Read a batch.

    Args:
        log_probs: Natural log-probabilities [batch, steps, tokens]; minus infinity is allowed.
        lengths: Steps of each row; what lies beyond is padding.
        beam: Beginnings kept of each row.
        best: Labellings wanted of each row, at most `beam`.
        fusion: A language model to be read with.
        allowed: Tokens that may be written; by default all. The blank always may.

    Returns:
        The labellings of each row, best score first, equal ones in the order of their beginnings;
        fewer than `best` where there are no more that have a path.

    Raises:
        ConfigError: `beam` or `best` does not hold, or the language model is of other tokens.
    """
    num_tokens = log_probs.shape[2]
    fusion = fusion or Fusion()
    _check(beam, best, fusion, num_tokens)
    search = _Search(len(log_probs), beam=beam, fusion=fusion, num_tokens=num_tokens)
    banned = np.ones(num_tokens, dtype=np.bool_)
    banned[list(range(num_tokens) if allowed is None else allowed)] = False
    banned[BLANK] = True
    past = np.where(np.arange(num_tokens) == BLANK, 0.0, -np.inf)
    for step in range(int(lengths.max(initial=0))):
        # A step of padding is a certain blank, which changes no labelling's probability.
        inside = (step < lengths)[:, None]
        search.step(np.where(inside, log_probs[:, step].astype(np.float64), past), banned)
    return search.finish(best)


class _Search:
    """The beginnings of each row, [rows, beam] of everything; free places have the number -1."""

    def __init__(self, rows: int, *, beam: int, fusion: Fusion, num_tokens: int) -> None:
        shape = rows, beam
        self._fusion, self._num_tokens = fusion, num_tokens
        self._tree = PrefixTree()
        self._numbers = np.full(shape, NONE)
        self._parents = np.full(shape, NONE)
        self._last = np.full(shape, BLANK)
        self._added = np.zeros(shape)
        self._in_blank, self._in_token = np.full(shape, -np.inf), np.full(shape, -np.inf)
        self._numbers[:, 0], self._in_blank[:, 0] = ROOT, 0.0

    def step(self, log_probs: Doubles, banned: Flags) -> None:
        """Read one step [rows, tokens]."""
        stay_blank, stay_token, grown = self._continuations(log_probs, banned)
        gains = self._gains()
        rows, beam = self._numbers.shape
        stay = np.logaddexp(stay_blank, stay_token) + self._added
        grow = grown + (self._added[..., None] + gains)
        places, scores = best_places(
            np.concatenate([stay, grow.reshape(rows, -1)], axis=1), count=beam
        )
        is_old = places < beam
        row = np.arange(rows)[:, None]
        source = np.where(is_old, places, (places - beam) // self._num_tokens)
        token = np.where(is_old, self._last[row, source], (places - beam) % self._num_tokens)
        gained = np.where(is_old, 0.0, gains[row, source, token])
        self._added = self._added[row, source] + gained
        alive = scores > -np.inf
        in_token = np.where(is_old, stay_token[row, source], grown[row, source, token])
        self._in_blank = np.where(is_old & alive, stay_blank[row, source], -np.inf)
        self._in_token = np.where(alive, in_token, -np.inf)
        self._name(is_old, source, token, alive=alive)

    def finish(self, best: int) -> list[list[Labelling]]:
        """Give the labellings of each row, best first."""
        log_probs, scores = np.logaddexp(self._in_blank, self._in_token), self._added.copy()
        model = self._fusion.model
        if model is not None:
            for place in np.argwhere(self._numbers != NONE):
                scores[tuple(place)] += self._fusion.weight * self._after(model, place)[EDGE]
        places, scores = best_places(np.asarray(log_probs + scores), count=best)
        return [
            [
                Labelling(
                    self._tree.ids(int(self._numbers[row, place])),
                    float(log_probs[row, place]),
                    float(score),
                )
                for place, score in zip(places[row], scores[row], strict=True)
                if score > -np.inf
            ]
            for row in range(len(places))
        ]

    def _continuations(self, log_probs: Doubles, banned: Flags) -> tuple[Doubles, Doubles, Doubles]:
        """Give the sums of each beginning as it is, by its end, and with one more token."""
        row = np.arange(len(log_probs))[:, None]
        total = np.logaddexp(self._in_blank, self._in_token)
        stay_blank = total + log_probs[:, None, BLANK]
        stay_token = self._in_token + log_probs[row, self._last]
        grown = total[..., None] + log_probs[:, None, :]
        # The same token once more is another token only after a blank.
        place = np.arange(total.shape[1])
        grown[row, place, self._last] = self._in_blank + log_probs[row, self._last]
        grown[..., banned] = -np.inf
        # What grows to a beginning that the beam has already is counted there.
        same = (self._numbers[:, :, None] == self._parents[:, None, :]) & (
            self._parents[:, None, :] != NONE
        )
        rows, parents, children = np.nonzero(same)
        tokens = self._last[rows, children]
        stay_token[rows, children] = np.logaddexp(
            stay_token[rows, children], grown[rows, parents, tokens]
        )
        grown[rows, parents, tokens] = -np.inf
        return stay_blank, stay_token, grown

    def _gains(self) -> Doubles:
        """Give what the fusion adds for each token after each beginning [rows, beam, tokens]."""
        gains = np.full((*self._numbers.shape, self._num_tokens), self._fusion.bonus)
        model = self._fusion.model
        if model is not None:
            for place in np.argwhere(self._numbers != NONE):
                gains[tuple(place)] += self._fusion.weight * self._after(model, place)
        return gains

    def _after(self, model: NgramModel, place: Ids) -> Doubles:
        ids = self._tree.ids(int(self._numbers[tuple(place)]), most=model.order - 1)
        return model.log_probs(model.context(ids))

    def _name(self, is_old: Flags, source: Ids, token: Ids, *, alive: Flags) -> None:
        """Number the beginnings that were chosen."""
        row = np.arange(len(source))[:, None]
        numbers, parents = self._numbers[row, source], self._parents[row, source]
        for place in map(tuple, np.argwhere(alive & ~is_old)):
            parents[place] = numbers[place]
            numbers[place] = self._tree.child(int(numbers[place]), int(token[place]))
        self._numbers = np.where(alive, numbers, NONE)
        self._parents = np.where(alive, parents, NONE)
        self._last = np.where(alive, token, BLANK)


def _check(beam: int, best: int, fusion: Fusion, num_tokens: int) -> None:
    if beam < 1:
        raise ConfigError(f"`beam` must be at least 1, but is {beam}.")
    if not 1 <= best <= beam:
        raise ConfigError(
            f"`best` must be 1 to `beam`, {beam}, but is {best}. Choose a wider beam."
        )
    if fusion.model is not None and fusion.model.num_tokens != num_tokens:
        raise ConfigError(
            f"The language model must be of the {num_tokens} tokens that are read, but is of "
            f"{fusion.model.num_tokens}. Make it of the same vocabulary."
        )
