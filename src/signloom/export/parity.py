"""A recogniser's graph against the model that it was made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from torch import Tensor

from signloom.errors import PackageError

RECOGNIZER_OUTPUTS = ("log_probs", "out_lengths")
TOLERANCE = 1e-4


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
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    found, found_steps = session.run(list(RECOGNIZER_OUTPUTS), dict(feed))
    apart = max(
        float(np.abs(row[:end] - true[:end]).max())
        for row, true, end in zip(found, expected.numpy(), steps.tolist(), strict=True)
    )
    if not (apart <= TOLERANCE and np.array_equal(found_steps, steps.numpy())):
        raise PackageError(
            f"The exported recogniser must equal the model within {TOLERANCE}, but differs by "
            f"{apart:.2g} for lengths {feed['lengths'].tolist()}. Export with the pinned torch "
            "release."
        )
    return apart
