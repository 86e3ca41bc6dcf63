"""Sources to token ids: batches by length and the search, whatever the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from signloom.search.beam import beam_search
from signloom.search.draws import Sources
from signloom.search.greedy import greedy_search
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import Bounds, Hypothesis, TokenStepper

BATCH_POSITIONS = 4096
"""Source tokens or frames of a batch, padding included."""


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """How sentences are looked for.

    Attributes:
        end: Token that ends a sentence.
        banned: Tokens that are never written.
        most: Most tokens of a sentence, the end included.
        beam: Hypotheses kept a step; 1 is greedy search.
        length_penalty: Exponent α of ((5 + tokens) / 6).
        best: Hypotheses given for each source, at most `beam`.
    """

    end: int
    banned: tuple[int, ...]
    most: int
    beam: int = 1
    length_penalty: float = 0.0
    best: int = 1


def translate_sources(
    stepper: TokenStepper[Any],
    sources: Sequence[Ids | Floats],
    starts: Sequence[int],
    *,
    options: SearchOptions,
    done: Callable[[int], None] | None = None,
) -> list[list[Hypothesis]]:
    """Translate sources of any lengths, the longest batch bounded.

    Args:
        stepper: Runs the model.
        sources: Ids [tokens] or features [frames, features] of each sentence, not empty.
        starts: Token that each sentence is begun with.
        options: How to search.
        done: Told how many sentences each batch has finished.

    Returns:
        For each source the hypotheses found, best first.
    """
    order = sorted(range(len(sources)), key=lambda place: len(sources[place]))
    found: dict[int, list[Hypothesis]] = {}
    while order:
        longest = len(sources[order[-1]])
        size = max(1, BATCH_POSITIONS // (longest * options.beam))
        chosen, order = order[-size:], order[:-size]
        bounds = Bounds(
            starts=np.array([starts[place] for place in chosen], dtype=np.int64),
            end=options.end,
            banned=options.banned,
            most=np.full(len(chosen), options.most, dtype=np.int64),
        )
        batch = pad([sources[place] for place in chosen])
        found.update(zip(chosen, search_batch(stepper, batch, bounds, options), strict=True))
        if done:
            done(len(chosen))
    return [found[place] for place in range(len(sources))]


def pad(sources: Sequence[Ids | Floats]) -> Sources:
    """Pad sources into a batch."""
    lengths = np.array([len(one) for one in sources], dtype=np.int64)
    first = sources[0]
    values = np.zeros((len(sources), int(lengths.max()), *first.shape[1:]), dtype=first.dtype)
    for row, one in enumerate(sources):
        values[row, : len(one)] = one
    return Sources(values, lengths)


def search_batch(
    stepper: TokenStepper[Any], batch: Any, bounds: Bounds, options: SearchOptions
) -> list[list[Hypothesis]]:
    """Translate a batch: greedily with a beam of 1, else by beam search.

    Args:
        stepper: Runs the model.
        batch: What `stepper` reads.
        bounds: Starts, end and most tokens of its rows.
        options: How to search.
    """
    if options.beam == 1:
        found = greedy_search(stepper, batch, bounds=bounds, length_penalty=options.length_penalty)
        return [[one] for one in found]
    return beam_search(
        stepper,
        batch,
        bounds=bounds,
        beam=options.beam,
        length_penalty=options.length_penalty,
        best=options.best,
    )
