"""Take weights out of a serialised ONNX graph, to lie beside it until it is opened."""

from __future__ import annotations

from collections.abc import Collection

import onnx
from onnx import TensorProto, numpy_helper

from signloom.errors import PackageError
from signloom.runtime.stored_tensor import Floats


def prune(graph: bytes, names: Collection[str]) -> bytes:
    """Remove initializers from a graph; what uses them keeps their names.

    Args:
        graph: Serialised ONNX model.
        names: float32 initializers that it has.

    Returns:
        The model without them; `signloom.runtime.grafting.graft` gives them back.

    Raises:
        PackageError: The graph has no such initializer of float32.
    """
    model = onnx.load_from_string(graph)
    tables = {table.name: table for table in model.graph.initializer}
    for name in names:
        if name not in tables or tables[name].data_type != TensorProto.FLOAT:
            raise PackageError(
                f"A weight to keep beside a graph must be a float32 initializer of it, but {name} "
                "is not."
            )
    del model.graph.initializer[:]
    model.graph.initializer.extend(table for name, table in tables.items() if name not in names)
    # A declared shape of a name that nothing defines any more would be all that is left of it.
    shapes = [value for value in model.graph.value_info if value.name not in names]
    del model.graph.value_info[:]
    model.graph.value_info.extend(shapes)
    return bytes(model.SerializeToString())


def initializers(graph: bytes) -> dict[str, Floats]:
    """Return the float32 initializers of a graph by name."""
    model = onnx.load_from_string(graph)
    return {
        table.name: numpy_helper.to_array(table)
        for table in model.graph.initializer
        if table.data_type == TensorProto.FLOAT
    }
