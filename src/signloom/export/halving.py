"""Weights in half precision: a package of half the size that computes in single precision.

Rounding is one step, on the trained model, and changes what it gives a little; what is measured
afterwards is the rounded model. Storing is another, on the graph, and changes nothing: a table of
numbers that half precision holds exactly is written so, and cast back when the graph is opened.
"""

from __future__ import annotations

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

LEAST_NUMBERS = 256
"""Smaller tables stay as they are: nothing is gained, and means and spreads keep their digits."""


def round_weights(model: nn.Module) -> None:
    """Round every large weight to the nearest number of half precision, in place."""
    with torch.no_grad():
        for weight in model.parameters():
            if weight.numel() >= LEAST_NUMBERS:
                weight.copy_(weight.half().float())


def store_halved(graph: bytes) -> bytes:
    """Write the large tables of a graph that half precision holds exactly in half the bytes.

    Args:
        graph: Serialised ONNX model; what it gives does not change.
    """
    model = onnx.load_from_string(graph)
    casts = []
    for table in model.graph.initializer:
        if table.data_type != TensorProto.FLOAT:
            continue
        numbers = numpy_helper.to_array(table)
        with np.errstate(over="ignore"):
            halved = numbers.astype(np.float16)
        if numbers.size < LEAST_NUMBERS or not np.array_equal(halved.astype(np.float32), numbers):
            continue
        name = table.name
        table.CopyFrom(numpy_helper.from_array(halved, f"{name}_half"))
        casts.append(helper.make_node("Cast", [table.name], [name], to=TensorProto.FLOAT))
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend([*casts, *nodes])
    return bytes(model.SerializeToString())
