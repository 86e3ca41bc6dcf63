"""`weights.bin` of a package: the large tensors of its graphs, each stored as tightly as it may be.

    8 bytes   length of the header, little-endian
    header    JSON: {"format_version": 1, "tensors": {name: {kind, shape, offset, bytes, …}}}
    data      the tensors one after another; offsets count from the end of the header

A tensor may have a companion `NAME.spread`: the standard deviation of each of its numbers under
the posterior, of a shape that broadcasts against the tensor's. Everything that a file says is
checked before memory is taken for it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from signloom.errors import PackageError
from signloom.runtime.bits import Layout
from signloom.runtime.stored_tensor import KINDS, Floats, StoredTensor, as_float32, size_of

FORMAT_VERSION = 1
SPREAD_SUFFIX = ".spread"
MAX_HEADER_BYTES = 4 * 2**20
MAX_NUMBERS = 2**28
"""Numbers of all tensors together: 1 GiB once they are decoded."""
MAX_AXES = 8

_LENGTH_BYTES = 8
_NAME = re.compile(r"[!-~]{1,200}")  # printable ASCII without the space
_PACKING = ("exponent_bits", "significand_bits", "least_exponent")


def write_weights(tensors: Mapping[str, StoredTensor | Floats]) -> bytes:
    """Write a file of weights.

    Args:
        tensors: By name, spreads among them; plain arrays are stored as float32.

    Raises:
        PackageError: The tensors make no file that `read_weights` takes.
    """
    header: dict[str, Any] = {}
    parts: list[bytes | memoryview] = []
    place = 0
    for name, given in tensors.items():
        tensor = given if isinstance(given, StoredTensor) else as_float32(given)
        header[name] = _to_entry(tensor, place)
        parts.append(tensor.data)
        place += len(tensor.data)
    content = json.dumps({"format_version": FORMAT_VERSION, "tensors": header}).encode()
    data = b"".join([len(content).to_bytes(_LENGTH_BYTES, "little"), content, *parts])
    read_weights(data)
    return data


def read_weights(data: bytes) -> Mapping[str, StoredTensor]:
    """Read a file of weights; no number is decoded yet.

    Returns:
        The tensors by name in the file's order, spreads among them.

    Raises:
        PackageError: The file does not hold what it says, or says too much.
    """
    length = int.from_bytes(data[:_LENGTH_BYTES], "little")
    start = _LENGTH_BYTES + length
    if length > MAX_HEADER_BYTES or start > len(data):
        raise _fault(f"its header must end within {MAX_HEADER_BYTES} bytes and within the file")
    body = memoryview(data)[start:]
    tensors: dict[str, StoredTensor] = {}
    place = numbers = 0
    for name, entry in _parse_header(data[_LENGTH_BYTES:start]).items():
        tensor, size = _parse_entry(name, entry, place=place)
        numbers += tensor.count
        if numbers > MAX_NUMBERS:
            raise _fault(f"it must have at most {MAX_NUMBERS} numbers, but has more")
        if place + size > len(body):
            raise _fault(f"{name!r} must end within the file, but lacks bytes")
        tensors[name] = StoredTensor(
            kind=tensor.kind,
            shape=tensor.shape,
            data=body[place : place + size],
            axis=tensor.axis,
            layout=tensor.layout,
        )
        place += size
    if place != len(body):
        raise _fault(f"its tensors must fill it, but leave {len(body) - place} bytes over")
    _check_spreads(tensors)
    return MappingProxyType(tensors)


def _to_entry(tensor: StoredTensor, place: int) -> dict[str, Any]:
    entry: dict[str, Any] = {"kind": tensor.kind, "shape": list(tensor.shape)}
    if tensor.axis is not None:
        entry["axis"] = tensor.axis
    if tensor.layout is not None:
        entry |= {key: getattr(tensor.layout, key) for key in _PACKING}
    return entry | {"offset": place, "bytes": len(tensor.data)}


def _parse_header(data: bytes) -> dict[str, Any]:
    try:
        header = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _fault(f"its header must be JSON, but is not ({error})") from error
    if not isinstance(header, dict) or header.get("format_version") != FORMAT_VERSION:
        raise _fault(f"its `format_version` must be {FORMAT_VERSION}")
    tensors = header.get("tensors")
    if not isinstance(tensors, dict) or not all(isinstance(one, dict) for one in tensors.values()):
        raise _fault("`tensors` of its header must map names to objects")
    for name in tensors:
        if not _NAME.fullmatch(name):
            raise _fault(f"a name must be 1 to 200 printable characters, but is {name[:60]!r}")
    return tensors


def _parse_entry(name: str, entry: dict[str, Any], *, place: int) -> tuple[StoredTensor, int]:
    """Give a tensor without its data, and the number of bytes that it has to have.

    Tensors lie in the header's order, so an offset can only be where the tensor before ends.
    """
    kind, axis = entry.get("kind"), entry.get("axis")
    shape = _parse_shape(name, entry.get("shape"))
    if kind not in KINDS:
        raise _fault(f"`kind` of {name!r} must be one of {', '.join(KINDS)}, but is {kind!r:.60}")
    if axis is not None and (
        kind != "int8" or not _is_whole(axis) or axis not in range(len(shape))
    ):
        raise _fault(f"`axis` of {name!r} must be one of an int8 tensor's, but is {axis!r:.60}")
    layout = _parse_layout(name, entry) if kind == "packed" else None
    size = size_of(kind, shape, axis=axis, layout=layout)
    found = entry.get("offset"), entry.get("bytes")
    if not all(map(_is_whole, found)) or found != (place, size):
        raise _fault(
            f"{name!r} must lie at offset {place} with {size} bytes by its shape and kind, but "
            f"says {found!r:.60}"
        )
    return StoredTensor(kind=kind, shape=shape, data=b"", axis=axis, layout=layout), size


def _parse_shape(name: str, shape: Any) -> tuple[int, ...]:
    if (
        not isinstance(shape, list)
        or len(shape) > MAX_AXES
        or not all(_is_whole(size) and 0 < size <= MAX_NUMBERS for size in shape)
        or math.prod(shape) > MAX_NUMBERS
    ):
        raise _fault(
            f"`shape` of {name!r} must be at most {MAX_AXES} sizes above 0 and make at most "
            f"{MAX_NUMBERS} numbers, but is {str(shape)[:60]}"
        )
    return tuple(shape)


def _parse_layout(name: str, entry: dict[str, Any]) -> Layout:
    numbers = {key: entry.get(key) for key in _PACKING}
    try:
        if all(map(_is_whole, numbers.values())):
            return Layout(**{key: int(str(value)) for key, value in numbers.items()})
    except ValueError:
        pass
    raise _fault(f"{name!r} must have the bits of a float, but has {str(numbers)[:100]}")


def _check_spreads(tensors: Mapping[str, StoredTensor]) -> None:
    """Refuse a spread that has no tensor, does not fit it, or is no standard deviation."""
    for name, spread in tensors.items():
        if not name.endswith(SPREAD_SUFFIX):
            continue
        weight = tensors.get(name.removesuffix(SPREAD_SUFFIX))
        if weight is None:
            raise _fault(f"the spread {name!r} must have its tensor beside it")
        if name.removesuffix(SPREAD_SUFFIX).endswith(SPREAD_SUFFIX):
            raise _fault(f"{name!r} must be the spread of a weight, but is that of a spread")
        sizes = zip(spread.shape, weight.shape, strict=False)
        if len(spread.shape) != len(weight.shape) or any(
            one not in (1, all_) for one, all_ in sizes
        ):
            raise _fault(
                f"{name!r} must broadcast against {list(weight.shape)}, but is {list(spread.shape)}"
            )
        if spread.kind not in ("float32", "float16") or not np.all(spread.decode() > 0):
            raise _fault(f"{name!r} must be float32 or float16 and above 0 everywhere")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _fault(reason: str) -> PackageError:
    return PackageError(
        f"The file of weights does not hold: {reason}. Install the package again, or tell its "
        "maker."
    )
