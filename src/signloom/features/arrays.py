"""The names that a pickle of features may hold, and what each makes: arrays of numbers.

Tensors of PyTorch and arrays of NumPy become read-only NumPy arrays over the bytes of the pickle.
A tensor lies in a storage, which pickles as bytes that `torch.save` wrote in its older format: the
pickles of a magic number, a version, facts of the machine, the storage's description and a list of
its key, then the count of its numbers (int64) and the numbers. They are read by the same means.
"""

from __future__ import annotations

import io
import re
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.features.bounded import Budget, ByteSource
from signloom.features.restricted import Maker, Names, Settable, load

Array = NDArray[Any]
_MAX_AXES = 8
_MAGIC = 0x1950A86A20F9469CFC6C
_VERSION = 1001
_NUMBER_TYPE = re.compile(r"[fiu][1248]|b1")
_STORAGES = {
    ("torch", f"{name}Storage"): np.dtype(form)
    for name, form in {
        "Float": "<f4",
        "Double": "<f8",
        "Half": "<f2",
        "Long": "<i8",
        "Int": "<i4",
        "Short": "<i2",
        "Char": "i1",
        "Byte": "u1",
        "Bool": "?",
    }.items()
}
_STORAGES |= {("torch.cuda", name): form for (_, name), form in _STORAGES.items()}


class Numbers(Settable):
    """An array of numbers.

    Attributes:
        values: The array; empty until the pickle fills it in.
    """

    __slots__ = ("values",)

    def __init__(self, values: Array | None = None) -> None:
        self.values: Array = np.empty(0) if values is None else values

    def set_state(self, state: object) -> None:
        """Take what `ndarray.__setstate__` takes: version, shape, type, order of axes, bytes."""
        match state:
            case (int(), tuple(shape), NumberType() as form, bool(turned), bytes() as data):
                self.values = _array(data, form, shape, order="F" if turned else "C")
            case _:
                raise FormatError("it holds an array that is not one of numbers")


class NumberType(Settable):
    """The type of the numbers of an array.

    Attributes:
        dtype: In NumPy's words.
    """

    __slots__ = ("dtype",)

    def __init__(self, code: object, *_: object) -> None:
        if not isinstance(code, str) or not _NUMBER_TYPE.fullmatch(code):
            raise FormatError(f"it holds an array of type {ascii(code)[:40]}, which is no number")
        self.dtype = np.dtype(code)

    def set_state(self, state: object) -> None:
        """Take what `dtype.__setstate__` takes, of which the order of bytes matters."""
        match state:
            case (int(), "<" | ">" | "=" | "|" as order, None, None, None, *_):
                self.dtype = self.dtype.newbyteorder(order)
            case _:
                raise FormatError("it holds an array whose type is no number")


def names_of_arrays(budget: Budget) -> Names:
    """List the names that a pickle of arrays may hold.

    Args:
        budget: Pays for what is copied and for the pickles inside the pickle.
    """

    def encode(text: str, encoding: str) -> bytes:
        if type(text) is not str or encoding != "latin1":
            raise FormatError("it encodes what is no text of bytes")
        budget.charge(len(text))
        return text.encode("latin-1")

    names: dict[tuple[str, str], object] = {
        ("torch._utils", "_rebuild_tensor"): Maker(_tensor),
        ("torch._utils", "_rebuild_tensor_v2"): Maker(_tensor),
        ("torch.storage", "_load_from_bytes"): Maker(lambda data: _storage(data, budget)),
        ("collections", "OrderedDict"): Maker(dict),
        ("_codecs", "encode"): Maker(encode),
        ("builtins", "bytes"): Maker(lambda: b""),
        ("__builtin__", "bytes"): Maker(lambda: b""),
        ("numpy", "ndarray"): "ndarray",
        ("numpy", "dtype"): Maker(NumberType),
    }
    for core in ("numpy.core", "numpy._core"):
        names[f"{core}.multiarray", "_reconstruct"] = Maker(lambda *_: Numbers())
        names[f"{core}.multiarray", "scalar"] = Maker(_scalar)
        names[f"{core}.numeric", "_frombuffer"] = Maker(_from_buffer)
    return names


def _no_hooks() -> dict[str, object]:
    return {}


def _tensor(
    storage: object, offset: int, sizes: tuple[int, ...], strides: tuple[int, ...], *_: object
) -> Numbers:
    """Cut a tensor out of its storage without a copy."""
    if not isinstance(storage, Numbers) or storage.values.ndim != 1:
        raise FormatError("it holds a tensor without a storage")
    numbers = (offset, *sizes, *strides)
    if any(type(number) is not int or number < 0 for number in numbers):
        raise FormatError("it holds a tensor whose sizes are no whole numbers")
    values = storage.values
    if len(sizes) != len(strides) or len(sizes) > _MAX_AXES:
        raise FormatError("it holds a tensor whose sizes and strides do not belong together")
    if not prod(sizes):
        return Numbers(np.empty(sizes, values.dtype))
    last = offset + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
    # A tensor may claim more numbers than it holds, by repeating them.
    if last >= len(values) or prod(sizes) > len(values):
        raise FormatError("it holds a tensor of more numbers than its storage has")
    steps = [stride * values.itemsize for stride in strides]
    return Numbers(np.lib.stride_tricks.as_strided(values[offset:], sizes, steps, writeable=False))


def _storage(data: object, budget: Budget) -> Numbers:
    """Read the bytes that `torch.save` made of a storage."""
    if not isinstance(data, bytes):
        raise FormatError("it holds a storage that is no bytes")
    described: list[tuple[object, np.dtype[Any], int]] = []

    def describe(found: object) -> object:
        match found:
            case ("storage", np.dtype() as form, str() | int() as key, str(), int(count), None):
                described.append((key, form, count))
            case _:
                raise FormatError("it holds a storage of an unknown description")
        return None

    file = io.BytesIO(data)
    source = ByteSource(file, budget)
    magic, version = load(source, {}), load(source, {})
    facts = load(source, {})
    is_known = (magic, version) == (_MAGIC, _VERSION) and type(facts) is dict
    if not is_known or facts.get("little_endian") is not True:
        raise FormatError("it holds a storage of another format than PyTorch's older one")
    load(source, _STORAGES, stored=describe)
    keys = load(source, {})
    [(key, form, count)] = described
    stored = int.from_bytes(source.take(8), "little", signed=True)
    if keys != [key] or stored != count or not 0 <= count <= len(data) // form.itemsize:
        raise FormatError("it holds a storage whose counts do not agree")
    return Numbers(np.frombuffer(data, form, count, file.tell()))


def _scalar(form: object, data: object) -> object:
    if not isinstance(form, NumberType) or not isinstance(data, bytes):
        raise FormatError("it holds a number of an unknown type")
    return _array(data, form, (1,), order="C").item()


def _from_buffer(data: object, form: object, shape: object, order: object) -> Numbers:
    match (data, form, shape, order):
        case (bytes(), NumberType(), tuple(), "C" | "F"):
            return Numbers(_array(data, form, shape, order=order))
    raise FormatError("it holds an array that is not one of numbers")


def _array(data: bytes, form: NumberType, shape: tuple[Any, ...], *, order: Any) -> Array:
    if any(type(size) is not int or size < 0 for size in shape) or len(shape) > _MAX_AXES:
        raise FormatError("it holds an array whose sizes are no whole numbers")
    if prod(shape) * form.dtype.itemsize != len(data):
        raise FormatError("it holds an array of another size than it says")
    return np.frombuffer(data, form.dtype).reshape(shape, order=order)
