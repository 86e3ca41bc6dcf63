"""The graph that writes tokens, one or several a step, with its cache: that of every text decoder.

step   tokens int64 [R, S], past [t, R, L, 2, H, Dh], memory [R, P, L, 2, H, Dh],
       lengths int64 [R] (positions of the memory), perhaps noise float32 [R, S, U]
       → logits [R, S, V], new [S, R, L, 2, H, Dh]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.runtime.graphs import open_graph
from signloom.runtime.package import Package
from signloom.search.slots import Floats, Ids
from signloom.search.tokens import FIRST_POSITIONS

MAX_LOGIT = 1e30
"""Members are summed: beyond it their sum might no longer be finite."""


@dataclass
class TokenState:
    """What a step needs of the steps before it; one row a hypothesis.

    Attributes:
        memory: Keys and values of the source; never changed in place, for states share it.
        lengths: Positions of each row of it.
        sources: Number of the source that each row reads.
        cache: Keys and values of the tokens so far, and room for more.
        keys: What each row's source is called where noise is drawn for it; empty where none is.
        position: Tokens so far.
    """

    memory: Floats
    lengths: Ids
    sources: Ids
    cache: Floats
    keys: tuple[int, ...] = ()
    position: int = 0


class TokenSession:
    """The graph `step` of a package.

    Args:
        package: The package to run.
        cache: Layers, 2, heads and size of a head.
        units: Competing units that noise is given for; 0 where none compete.
        threads: Threads inside one operator.
        weights: What the graph names but does not hold.

    Raises:
        PackageError: The graph does not fit.
    """

    def __init__(
        self,
        package: Package,
        *,
        cache: tuple[int, int, int, int],
        units: int = 0,
        threads: int = 1,
        weights: Mapping[str, Floats] | None = None,
    ) -> None:
        self.num_tokens = len(package.vocabulary)
        self.cache = cache
        inputs = {"tokens", "past", "memory", "lengths"} | ({"noise"} if units else set())
        self._graph = open_graph(
            package, "step", names=(inputs, {"logits", "new"}), threads=threads, weights=weights
        )
        memory = (None, None, *cache)
        shapes: dict[str, tuple[int | None, ...]] = {
            "tokens": (None, None),
            "past": memory,
            "memory": memory,
            "lengths": (None,),
            "logits": (None, None, self.num_tokens),
            "new": memory,
        }
        self._graph.check_shapes(shapes | ({"noise": (None, None, units)} if units else {}))

    def begin(self, memory: Floats, lengths: Ids, keys: tuple[int, ...] = ()) -> TokenState:
        """Allocate the cache."""
        cache = np.empty((FIRST_POSITIONS, len(memory), *self.cache), dtype=np.float32)
        return TokenState(memory, lengths, np.arange(len(memory)), cache, keys)

    def step(self, tokens: Ids, state: TokenState, noise: Floats | None = None) -> Floats:
        """Score the next tokens [rows, slots, tokens] and append the keys of those fed.

        Args:
            tokens: What is fed [rows, slots].
            state: Moved on in place.
            noise: Gumbel noise of the competing units [rows, slots, units], if there are any.

        Raises:
            PackageError: The graph fails, or gives what is no score.
        """
        rows, slots = tokens.shape
        feed: dict[str, NDArray[Any]] = {
            "tokens": tokens,
            "past": state.cache[: state.position],
            "memory": state.memory,
            "lengths": state.lengths,
        }
        if noise is not None:
            feed["noise"] = noise
        shapes = [(rows, slots, self.num_tokens), (slots, rows, *self.cache)]
        logits, new = self._graph.run(["logits", "new"], feed, shapes=shapes)
        if not (logits.max() <= MAX_LOGIT and logits.min() >= -MAX_LOGIT):  # of a NaN neither holds
            raise self._graph.fault(f"`logits` must be finite, at most {MAX_LOGIT:g}, but are not")
        end = state.position + slots
        while end > len(state.cache):
            state.cache = np.concatenate([state.cache, np.empty_like(state.cache)])
        state.cache[state.position : end] = new
        state.position = end
        scores: Floats = logits
        return scores

    def reorder(self, state: TokenState, rows: Ids) -> TokenState:
        """Take rows over, with their memory and cache.

        In a beam rows change their places mostly among those that read the same source: what they
        remember of it is then left where it is.
        """
        cache = np.empty((len(state.cache), len(rows), *self.cache), dtype=np.float32)
        cache[: state.position] = state.cache[: state.position, rows]
        sources = state.sources[rows]
        if np.array_equal(sources, state.sources):
            return replace(state, cache=cache)
        return replace(
            state,
            memory=state.memory[rows],
            lengths=state.lengths[rows],
            sources=sources,
            keys=tuple(state.keys[int(row)] for row in rows) if state.keys else (),
            cache=cache,
        )
