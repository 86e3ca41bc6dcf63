"""Refuse a serialised ONNX graph that would have files read beside it.

A tensor of an ONNX model may say that its numbers lie in another file ("external data"). Such a
file would be outside the package's checksums, and could be any file of the machine. The walk goes
through every message that can hold a tensor, and knows of each only the fields that lead there.
"""

from __future__ import annotations

from collections.abc import Iterator

MAX_DEPTH = 64

_EXTERNAL = "external"
# Field numbers of onnx.proto: message -> field -> the message in it.
_FIELDS: dict[str, dict[int, str]] = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "function": {7: "node", 11: "attribute"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "node": {5: "attribute"},
    "attribute": dict.fromkeys((5, 10), "tensor")
    | dict.fromkeys((6, 11), "graph")
    | dict.fromkeys((22, 23), "sparse"),
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {13: _EXTERNAL, 14: _EXTERNAL},
}


def find_fault(graph: bytes) -> str | None:
    """Say why a serialised graph must not be opened, or give None.

    Example:
        >>> find_fault(b"no graph")
        'it is no ONNX model'
    """
    waiting: list[tuple[str, memoryview, int]] = [("model", memoryview(graph), 0)]
    try:
        while waiting:
            message, data, depth = waiting.pop()
            for field, value in walk(data):
                inner = _FIELDS[message].get(field)
                if inner == _EXTERNAL and value != 0:
                    return "its numbers must be in the graph, but some are said to be elsewhere"
                if inner in _FIELDS and isinstance(value, memoryview):
                    waiting.append((str(inner), value, depth + 1))
            if depth > MAX_DEPTH:
                return f"graphs must be nested at most {MAX_DEPTH} deep, but go deeper"
    except (IndexError, ValueError):
        return "it is no ONNX model"
    return None


def walk(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Give the fields of a protobuf message: number, and number or content.

    Raises:
        IndexError: The message is cut short.
        ValueError: It is no message.
    """
    place = 0
    while place < len(data):
        tag, place = _varint(data, place)
        field, form = tag >> 3, tag & 7
        if form == 0:
            value, place = _varint(data, place)
            yield field, value
            continue
        if form == 2:
            size, place = _varint(data, place)
        elif form in (1, 5):
            size = 8 if form == 1 else 4
        else:
            raise ValueError(f"wire type {form}")
        if not 0 < field < 2**29 or place + size > len(data):
            raise ValueError("a field is cut short")
        yield field, data[place : place + size]
        place += size


def _varint(data: memoryview, place: int) -> tuple[int, int]:
    value = 0
    for count in range(10):
        byte = data[place + count]
        value |= (byte & 127) << (7 * count)
        if byte < 128:
            return value & (2**64 - 1), place + count + 1
    raise ValueError("a number is too long")
