"""One module to one ONNX graph, the same way for every system."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from signloom.errors import SignloomError
from signloom.export.halving import store_halved

OPSET = 20


def to_onnx(
    module: nn.Module,
    inputs: Mapping[str, tuple[Tensor, Mapping[int, Any]]],
    *,
    outputs: Sequence[str],
    variadic: bool = False,
) -> bytes:
    """Serialise a module.

    Args:
        module: Takes its inputs by position.
        inputs: By name: an example, and a `torch.export.Dim` for each axis that may vary.
        outputs: Names of what it gives.
        variadic: Whether `forward` takes its inputs as `*inputs`.
    """
    shapes = tuple(dict(axes) for _, axes in inputs.values())
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            module.eval(),
            tuple(example for example, _ in inputs.values()),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_shapes=(shapes,) if variadic else shapes,
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
    if program is None:
        raise SignloomError("The exporter must give an ONNX program, but gave none.")
    model = program.model_proto
    for one in (*model.graph.node, *model.graph.value_info):
        del one.metadata_props[:]  # traces through the files of the machine that exports
    return store_halved(bytes(model.SerializeToString()))
