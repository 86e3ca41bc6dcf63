"""The steps of a whole recording: those of its pieces, one after the other, and their times.

Between two pieces stands a step that takes no time, a certain pause. So one search reads all, and
its language model sees across the cuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from signloom.search.ctc_reading import FLOOR
from signloom.search.slots import Floats, Ids


@dataclass(frozen=True, eq=False)
class Steps:
    """What a model sees in a recording, step by step.

    Attributes:
        log_probs: Natural log-probabilities [steps, tokens].
        starts: First frame of each step [steps].
        ends: The frame after its last [steps].
    """

    log_probs: Floats
    starts: Ids
    ends: Ids


def join_steps(
    rows: Sequence[Floats],
    starts: Sequence[int],
    lengths: Sequence[int],
    *,
    stride: int,
    pause: int,
) -> Steps:
    """Put the steps of pieces one after the other.

    Args:
        rows: Log-probabilities [steps, tokens] of each piece, at least one.
        starts: First frame of each.
        lengths: Frames of each.
        stride: Frames of a step.
        pause: Token that stands between two pieces: a space, or the blank.

    Example:
        >>> rows = [np.zeros((2, 3), np.float32)] * 2
        >>> steps = join_steps(rows, [0, 7], [4, 3], stride=2, pause=0)
        >>> steps.starts.tolist(), steps.ends.tolist()
        ([0, 2, 7, 7, 9], [2, 4, 7, 9, 10])
    """
    certain = np.full((1, rows[0].shape[1]), FLOOR, dtype=np.float32)
    certain[0, pause] = 0.0
    values: list[Floats] = []
    edges: list[Ids] = []
    for number, (row, start, length) in enumerate(zip(rows, starts, lengths, strict=True)):
        if number:
            values.append(certain)
            edges.append(np.array([[start, start]]))
        places = np.minimum(start + stride * np.arange(len(row) + 1), start + length)
        values.append(np.maximum(row, np.float32(FLOOR)))
        edges.append(np.stack([places[:-1], places[1:]], axis=1))
    times = np.concatenate(edges)
    return Steps(np.concatenate(values), times[:, 0], times[:, 1])
