"""Sequences drawn from a model instead of looked for: what self-critical training learns from.

The largest of logits with Gumbel noise is a draw from their softmax, so greedy search over noisy
logits is ancestral sampling. Banned tokens are left out of the draw.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from signloom.search.greedy import greedy_search
from signloom.search.slots import Ids
from signloom.search.tokens import Bounds, Scores, TokenStepper


def sample(
    stepper: TokenStepper[Any],
    source: Any,
    *,
    bounds: Bounds,
    samples: int,
    rng: np.random.Generator,
) -> list[list[tuple[int, ...]]]:
    """Draw sequences for each source of a batch; a source is read once.

    Args:
        stepper: Runs the model.
        source: What `stepper` reads.
        bounds: Starts, end and most tokens of the sources.
        samples: Sequences for each source.
        rng: Draws them.

    Returns:
        For each source its sequences' tokens, the end token included where it was drawn.
    """
    rows = np.repeat(np.arange(len(bounds.starts)), samples)
    several = Bounds(
        starts=bounds.starts[rows], end=bounds.end, banned=bounds.banned, most=bounds.most[rows]
    )
    found = greedy_search(_Drawn(stepper, rows, rng), source, bounds=several)
    ids = [(*one.ids, bounds.end) if one.finished else one.ids for one in found]
    return [ids[first : first + samples] for first in range(0, len(ids), samples)]


class _Drawn:
    """A stepper with several rows for each source, whose logits have noise."""

    def __init__(self, stepper: TokenStepper[Any], rows: Ids, rng: np.random.Generator) -> None:
        self._stepper, self._rows, self._rng = stepper, rows, rng

    @property
    def num_tokens(self) -> int:
        return self._stepper.num_tokens

    def begin(self, source: Any) -> Any:
        return self._stepper.reorder(self._stepper.begin(source), self._rows)

    def step(self, tokens: Ids, state: Any) -> tuple[Scores, Any]:
        scores, state = self._stepper.step(tokens, state)
        noise = self._rng.gumbel(size=scores.logits.shape)
        drawn = scores.logits + noise.astype(np.float32)
        return scores._replace(logits=drawn, members=drawn[None]), state

    def reorder(self, state: Any, rows: Ids) -> Any:
        return self._stepper.reorder(state, rows)
