"""No graph that would have a file read beside it is opened."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import onnx.parser
import pytest

from signloom.runtime.graph_guard import find_fault
from signloom.runtime.package import load_package
from signloom.runtime.registry import DEFAULT_PRODUCE_MODEL

MODEL = """
<ir_version: 10, opset_import: ["" : 20]>
g (float[3] x) => (float[3] y) <float[3] w = {1, 2, 3}> { y = Add (x, w) }
"""


def model() -> onnx.ModelProto:
    return onnx.parser.parse_model(MODEL)


def outside() -> onnx.TensorProto:
    tensor = onnx.numpy_helper.from_array(np.zeros(3, np.float32), "w")
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "/etc/passwd"
    return tensor


def as_initializer() -> onnx.ModelProto:
    made = model()
    made.graph.initializer[0].CopyFrom(outside())
    return made


def as_constant() -> onnx.ModelProto:
    made = model()
    made.graph.node.insert(0, onnx.helper.make_node("Constant", [], ["c"], value=outside()))
    return made


def in_a_branch() -> onnx.ModelProto:
    made = model()
    branch = onnx.helper.make_graph([], "branch", [], [], [outside()])
    made.graph.node.append(onnx.helper.make_node("If", ["x"], ["z"], then_branch=branch))
    return made


def in_a_function() -> onnx.ModelProto:
    made = model()
    node = onnx.helper.make_node("Constant", [], ["c"], value=outside())
    made.functions.append(onnx.helper.make_function("d", "f", [], ["c"], [node], []))
    return made


def as_sparse() -> onnx.ModelProto:
    made = model()
    made.graph.sparse_initializer.add().values.CopyFrom(outside())
    return made


@pytest.mark.parametrize(
    "make", [as_initializer, as_constant, in_a_branch, in_a_function, as_sparse]
)
def test_numbers_elsewhere_are_found_wherever_a_tensor_may_be(make) -> None:
    assert "elsewhere" in str(find_fault(make().SerializeToString()))


def test_a_graph_split_in_two_fields_is_read_as_one() -> None:
    parts = model().SerializeToString() + as_initializer().SerializeToString()
    assert "elsewhere" in str(find_fault(parts))


def test_whole_graphs_hold() -> None:
    assert find_fault(model().SerializeToString()) is None
    package = load_package(DEFAULT_PRODUCE_MODEL)
    assert [find_fault(graph) for graph in package.graphs.values()] == [None, None]


@pytest.mark.parametrize("data", [b"no graph", b"\x0b", b"\x3a\x7f", b"\xff" * 11, b"\x08"])
def test_what_is_no_model_is_named(data: bytes) -> None:
    assert find_fault(data) == "it is no ONNX model"


def test_graphs_nested_without_end_are_refused() -> None:
    data = b""
    for _ in range(100):
        for tag in (b"\x32", b"\x2a", b"\x0a"):  # attribute.g, node.attribute, graph.node
            data = tag + onnx_size(len(data)) + data
    assert "nested" in str(find_fault(b"\x3a" + onnx_size(len(data)) + data))


def onnx_size(size: int) -> bytes:
    digits = []
    while size > 127:
        digits.append(size & 127 | 128)
        size >>= 7
    return bytes([*digits, size])
