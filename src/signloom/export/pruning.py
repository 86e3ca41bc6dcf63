"""Take weights out of a serialised ONNX graph, to lie beside it until it is opened."""

from __future__ import annotations

from collections.abc import Collection

import onnx


def without_inputs(graph: bytes, names: Collection[str]) -> bytes:
    """Take inputs away from a graph; what uses them keeps their names.

    Args:
        graph: Serialised ONNX model that takes weights as inputs.
        names: The inputs; one that nothing uses may be missing.

    Returns:
        A model that lacks these tensors, for `signloom.runtime.grafting.graft` to give.
    """
    model = onnx.load_from_string(graph)
    kept = [value for value in model.graph.input if value.name not in names]
    del model.graph.input[:]
    model.graph.input.extend(kept)
    return bytes(model.SerializeToString())
