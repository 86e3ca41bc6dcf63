"""What a graph says of the tokens of each step, and the check that a search can go on with it."""

from __future__ import annotations

from signloom.runtime.graphs import Graph
from signloom.search.slots import Floats, Ids

MAX_LOG_PROB = 1e-2
"""What rounding may leave above 0."""


def check_step_scores(
    graph: Graph, log_probs: Floats, steps: Ids, *, rows: int, tokens: int, frames: int
) -> None:
    """Refuse what is no log-probability; minus infinity is one.

    Args:
        graph: What gave them.
        log_probs: Should be log-probabilities [rows, steps, tokens].
        steps: Should be steps of each row [rows].
        rows: Rows that it was given.
        tokens: Size of the vocabulary.
        frames: Frames of a row that it was given, padding included.

    Raises:
        PackageError: A shape or a value does not hold.
    """
    if steps.shape != (rows,) or log_probs.ndim != 3 or log_probs.shape[::2] != (rows, tokens):
        raise graph.fault(
            f"`log_probs` must be [{rows}, steps, {tokens}] and `out_lengths` [{rows}], but are "
            f"{list(log_probs.shape)} and {list(steps.shape)}"
        )
    count = log_probs.shape[1]
    if count > frames or not ((steps >= 0) & (steps <= count)).all():
        raise graph.fault(
            f"`out_lengths` must be 0 to the {count} steps of `log_probs`, and these at most "
            f"{frames}, but are {steps.tolist()[:9]}"
        )
    if not (log_probs <= MAX_LOG_PROB).all():
        raise graph.fault("`log_probs` must be at most 0, but are not")
