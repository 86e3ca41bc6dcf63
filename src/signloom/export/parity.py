"""Graphs against the models that they were made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from torch import Tensor

from signloom.errors import PackageError

RECOGNIZER_OUTPUTS = ("log_probs", "out_lengths")
TOLERANCE = 1e-4
"""Largest difference of a log-probability."""
LOGIT_TOLERANCE = 1e-3
"""Largest difference of a logit: logits are some tens in size, and sums run in another order."""


def run_graph(
    graph: bytes, feed: Mapping[str, NDArray[Any]], outputs: Sequence[str]
) -> list[NDArray[Any]]:
    """Run a graph once.

    Args:
        graph: ONNX.
        feed: Its inputs.
        outputs: What is wanted of it.
    """
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    found: list[NDArray[Any]] = session.run(list(outputs), dict(feed))
    return found


def largest_difference(found: NDArray[Any], expected: NDArray[Any], ends: Sequence[int]) -> float:
    """Compare two arrays row by row, each up to its end.

    Example:
        >>> largest_difference(np.array([[1.0, 9.0]]), np.array([[1.5, 0.0]]), [1])
        0.5
    """
    pairs = zip(found, expected, ends, strict=True)
    return max(float(np.abs(row[:end] - true[:end]).max(initial=0.0)) for row, true, end in pairs)


def refuse_difference(
    graph: bytes, feed: Mapping[str, NDArray[Any]], *, expected: Tensor, steps: Tensor
) -> float:
    """Run a graph and compare what it gives, row by row up to each one's end.

    Args:
        graph: ONNX.
        feed: Its inputs.
        expected: Log-probabilities that the model gives [batch, steps, tokens].
        steps: Steps of each row [batch].

    Returns:
        The largest difference of a log-probability.

    Raises:
        PackageError: It exceeds 1e-4, or the steps differ.
    """
    found, found_steps = run_graph(graph, feed, RECOGNIZER_OUTPUTS)
    apart = largest_difference(found, expected.numpy(), steps.tolist())
    if not (apart <= TOLERANCE and np.array_equal(found_steps, steps.numpy())):
        raise unequal("recogniser", apart, tolerance=TOLERANCE, lengths=feed["lengths"].tolist())
    return apart


def unequal(
    noun: str, apart: float, *, tolerance: float, lengths: Sequence[int] = ()
) -> PackageError:
    """Make the error that says that a graph is not its model.

    Args:
        noun: What was exported.
        apart: By how much they differ.
        tolerance: By how much they might.
        lengths: For which lengths, where that is known.
    """
    where = f" for lengths {list(lengths)}" if lengths else ""
    return PackageError(
        f"The exported {noun} must equal the model within {tolerance:g}, but differs by "
        f"{apart:.2g}{where}. Export with the pinned torch release."
    )
