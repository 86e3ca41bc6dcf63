"""How much a pose sequence moves, how smoothly across block borders, and how long it is.

Everything takes positions in shoulder widths, float [frames, joints, 3]. Sums are given rather
than ratios where a corpus-wide ratio must be a ratio of sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Frames = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Jerk:
    """Sums of third differences, apart for those that span a block edge.

    Attributes:
        edge: Sum of the magnitudes across edges.
        edge_count: How many there are.
        elsewhere: Sum of the magnitudes that lie inside blocks.
        elsewhere_count: How many there are.
    """

    edge: float = 0.0
    edge_count: int = 0
    elsewhere: float = 0.0
    elsewhere_count: int = 0

    @property
    def ratio(self) -> float:
        """Mean magnitude at edges over that elsewhere; NaN if nothing moves or nothing spans."""
        if not (self.edge_count and self.elsewhere_count and self.elsewhere):
            return float("nan")
        return (self.edge / self.edge_count) / (self.elsewhere / self.elsewhere_count)

    def __add__(self, other: Jerk) -> Jerk:
        return Jerk(
            self.edge + other.edge,
            self.edge_count + other.edge_count,
            self.elsewhere + other.elsewhere,
            self.elsewhere_count + other.elsewhere_count,
        )


def path_length(frames: Frames) -> float:
    """Give the way that a joint travels, averaged over the joints, in shoulder widths."""
    return float(np.linalg.norm(np.diff(frames, axis=0), axis=-1).mean(axis=-1).sum())


def last_third(frames: Frames) -> Frames:
    """Cut out the last third of an utterance, with the frame before it.

    A one-frame utterance is its own last third.

    Example:
        >>> len(last_third(np.zeros((9, 1, 3))))
        4
    """
    first = len(frames) - len(frames) // 3
    return frames[max(0, first - 1) :]


def jerk(frames: Frames, *, block: int = 8) -> Jerk:
    """Measure third differences across block edges and elsewhere.

    The difference at frame `t` is `x[t+3] - 3 x[t+2] + 3 x[t+1] - x[t]`, its magnitude the mean
    over joints of its length. It spans an edge if a multiple of `block` lies in `t+1 ... t+3`:
    frames of two blocks take part in it.

    Args:
        frames: Positions [frames, joints, 3].
        block: Frames that a decoder completes together.

    Example:
        >>> found = jerk(np.random.default_rng(0).normal(size=(19, 1, 3)))
        >>> found.edge_count, found.elsewhere_count
        (6, 10)
    """
    magnitudes = np.linalg.norm(np.diff(frames.astype(np.float64), n=3, axis=0), axis=-1)
    magnitudes = magnitudes.mean(axis=-1)
    start = np.arange(len(magnitudes))
    spans = start // block != (start + 3) // block
    return Jerk(
        float(magnitudes[spans].sum()),
        int(spans.sum()),
        float(magnitudes[~spans].sum()),
        int((~spans).sum()),
    )


def length_errors(
    generated: NDArray[np.integer[Any]], reference: NDArray[np.integer[Any]]
) -> NDArray[np.float64]:
    """Give each relative length error |generated - reference| / reference."""
    return np.asarray(np.abs(generated - reference) / reference, dtype=np.float64)
