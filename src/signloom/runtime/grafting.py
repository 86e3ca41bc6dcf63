"""Give a serialised ONNX graph the weights that it names but does not hold.

Two serialised protobuf messages one after another are one message: what may stand once is merged,
what may stand often is appended. So a second model that holds nothing but initializers adds them to
the first, and no library that can read ONNX is needed.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from signloom.errors import PackageError
from signloom.runtime.graph_guard import walk
from signloom.runtime.stored_tensor import StoredTensor
from signloom.runtime.weights import SPREAD_SUFFIX
from signloom.search.chance import weight_noise

MAX_BYTES = 2**31 - 1
"""Largest message that protobuf reads."""

# Field numbers of onnx.proto.
_MODEL_GRAPH = 7
_GRAPH_NODE, _GRAPH_INITIALIZER, _GRAPH_INPUT = 1, 5, 11
_NODE_INPUT, _NODE_OUTPUT = 1, 2
_VALUE_NAME = 1
_TENSOR_DIMS, _TENSOR_DATA_TYPE, _TENSOR_NAME, _TENSOR_RAW_DATA = 1, 2, 8, 9
_FLOAT = 1


def graft(graph: bytes, tensors: Mapping[str, npt.NDArray[np.float32]]) -> bytes:
    """Append tensors to a graph as initializers.

    Args:
        graph: Serialised ONNX model that uses the names without defining them.
        tensors: float32 by name; the names that the graph has in use.

    Returns:
        A serialised ONNX model.

    Raises:
        PackageError: It would be larger than protobuf allows.
    """
    initializers = [_content(_GRAPH_INITIALIZER, *_tensor(*item)) for item in tensors.items()]
    added = _content(_MODEL_GRAPH, *(part for parts in initializers for part in parts))
    size = len(graph) + sum(map(len, added))
    if size > MAX_BYTES:
        raise PackageError(
            f"A graph and its weights must have at most {MAX_BYTES} bytes, but have {size}. "
            "Use a smaller model."
        )
    return b"".join([graph, *added])


def missing(graph: bytes) -> frozenset[str]:
    """Return the names that the nodes of a graph take and nothing in it gives: its weights.

    Graphs within nodes (`If`, `Loop`) are not looked into.

    Args:
        graph: Serialised ONNX model that `find_fault` finds no fault with.
    """
    taken: set[bytes] = set()
    given: set[bytes] = {b""}  # an input left out has no name
    for part in _contents(memoryview(graph), _MODEL_GRAPH):
        for node in _contents(part, _GRAPH_NODE):
            taken.update(map(bytes, _contents(node, _NODE_INPUT)))
            given.update(map(bytes, _contents(node, _NODE_OUTPUT)))
        for field, name in ((_GRAPH_INITIALIZER, _TENSOR_NAME), (_GRAPH_INPUT, _VALUE_NAME)):
            for value in _contents(part, field):
                given.update(map(bytes, _contents(value, name)))
    return frozenset(name.decode(errors="replace") for name in taken - given)


def drawn(
    weights: Mapping[str, StoredTensor], *, seed: int, sample: int | None
) -> dict[str, npt.NDArray[np.float32]]:
    """Decode weights, each drawn from its posterior where it has a spread.

    Args:
        weights: What `read_weights` gave.
        seed: Seed of the run.
        sample: Which joint draw; None for the means.

    Returns:
        float32 by name, without the spreads. A draw depends on the seed, the sample and the
        tensor's name only.
    """
    tensors: dict[str, npt.NDArray[np.float32]] = {}
    for name, weight in weights.items():
        if name.endswith(SPREAD_SUFFIX):
            continue
        numbers = weight.decode()
        spread = weights.get(name + SPREAD_SUFFIX)
        if spread is not None and sample is not None:
            noise = weight_noise(name, numbers.shape, seed=seed, sample=sample)
            numbers += spread.decode() * noise
        tensors[name] = numbers
    return tensors


def _tensor(name: str, numbers: npt.NDArray[np.float32]) -> list[bytes | memoryview]:
    """Write a TensorProto, in parts."""
    data = np.ascontiguousarray(numbers, "<f4")
    head = [_number(_TENSOR_DIMS, size) for size in numbers.shape]
    head.append(_number(_TENSOR_DATA_TYPE, _FLOAT))
    return [
        *head,
        *_content(_TENSOR_NAME, name.encode()),
        *_content(_TENSOR_RAW_DATA, data.data.cast("B")),
    ]


def _contents(message: memoryview, field: int) -> list[memoryview]:
    """Read every content of a field that may come often."""
    return [
        value
        for number, value in walk(message)
        if number == field and isinstance(value, memoryview)
    ]


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _content(field: int, *parts: bytes | memoryview) -> list[bytes | memoryview]:
    """Write a field whose content is given in parts, which are not copied."""
    return [_varint(field << 3 | 2) + _varint(sum(map(len, parts))), *parts]


def _varint(value: int) -> bytes:
    digits = []
    while value > 127:
        digits.append(value & 127 | 128)
        value >>= 7
    return bytes([*digits, value])
