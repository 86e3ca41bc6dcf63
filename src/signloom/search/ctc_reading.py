"""Rows of log-probabilities to labellings: the best path, or prefix beams in batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from signloom.search.ctc import BLANK, greedy
from signloom.search.ctc_beam import Fusion, Labelling, ctc_beam
from signloom.search.ctc_spans import log_prob_of
from signloom.search.slots import Floats

BATCH = 16
FLOOR = -1e4
"""Log-probability below which nothing counts: everything that is found has a finite one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CtcOptions:
    """How labellings are looked for.

    Attributes:
        beam: Beginnings kept a step; 1 takes the best path, without language model.
        best: Labellings given of each row, at most `beam`.
        fusion: A language model to be read with.
        allowed: Tokens that may be written; by default all.
    """

    beam: int = 1
    best: int = 1
    fusion: Fusion | None = None
    allowed: tuple[int, ...] | None = None


def read_rows(rows: Sequence[Floats], options: CtcOptions) -> list[list[Labelling]]:
    """Read rows of any lengths.

    Args:
        rows: Natural log-probabilities [steps, tokens] of each.
        options: How.

    Returns:
        The labellings of each row, best first; at least one.

    Raises:
        ConfigError: As `ctc_beam`.
    """
    rows = [np.maximum(row, np.float32(FLOOR)) for row in rows]
    if options.beam == 1:
        return [[_best_path(row, options.allowed)] for row in rows]
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
    found: dict[int, list[Labelling]] = {}
    for first in range(0, len(order), BATCH):
        chosen = order[first : first + BATCH]
        lengths = np.array([len(rows[place]) for place in chosen], dtype=np.int64)
        batch = np.zeros((len(chosen), lengths.max(), rows[chosen[0]].shape[1]), np.float32)
        for row, place in enumerate(chosen):
            batch[row, : len(rows[place])] = rows[place]
        read = ctc_beam(
            batch,
            lengths,
            beam=options.beam,
            best=options.best,
            fusion=options.fusion,
            allowed=options.allowed,
        )
        found.update(zip(chosen, read, strict=True))
    return [found[place] for place in range(len(rows))]


def _best_path(row: Floats, allowed: tuple[int, ...] | None) -> Labelling:
    heard = row
    if allowed is not None:
        heard = np.full_like(row, -np.inf)
        kept = [BLANK, *allowed]
        heard[:, kept] = row[:, kept]
    [ids] = greedy(heard[None], np.array([len(row)]))
    log_prob = log_prob_of(row, ids)
    return Labelling(tuple(ids), log_prob, log_prob)
