"""The forms that the same weights can be stored in: float32, float16, int8 and packed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from signloom.export.significance import Aggregation, aggregate, layout_of
from signloom.runtime.stored_tensor import (
    Floats,
    StoredTensor,
    as_float16,
    as_float32,
    as_int8,
    as_packed,
)
from signloom.runtime.weights import SPREAD_SUFFIX

Form = Literal["float32", "float16", "int8", "packed"]
FORMS: tuple[Form, ...] = ("float32", "float16", "int8", "packed")
Tensors = Mapping[str, StoredTensor]

_HALF_DIGITS = 2.0**-10
"""Error of half precision that is safe, as a part of a tensor's largest number."""


def store(tensors: Tensors, form: Form, aggregation: Aggregation) -> dict[str, StoredTensor]:
    """Store weights in one form.

    Args:
        tensors: By name, as exported.
        form: How weights are stored; spreads become one number an output row in every form.
        aggregation: Which spread stands for a layer.
    """
    stored: dict[str, StoredTensor] = {}
    for name, tensor in tensors.items():
        if name.endswith(SPREAD_SUFFIX):
            continue
        numbers = tensor.decode()
        spread = spread_of(name, tensors)
        stored[name] = _store_one(numbers, spread, form, aggregation)
        if spread is not None:
            stored[name + SPREAD_SUFFIX] = spread_by_rows(spread, numbers.shape)
    return stored


def half_if_safe(numbers: Floats) -> StoredTensor:
    """Store numbers in half precision, or whole where that would lose more than its digits."""
    with np.errstate(over="ignore"):
        halved = numbers.astype(np.float16).astype(np.float32)
    if not np.isfinite(halved).all():
        return as_float32(numbers)
    lost = np.abs(halved - numbers).max()
    return (as_float16 if lost <= _HALF_DIGITS * np.abs(numbers).max() else as_float32)(numbers)


def spread_by_rows(spread: Floats, shape: tuple[int, ...]) -> StoredTensor:
    """Store one spread an output row, the root mean square, or one in all for a vector.

    Graphs hold matrices either way round and do not say which axis is that of the outputs; the one
    along which the spreads are told apart better is taken.
    """
    squares = np.square(np.broadcast_to(spread, shape), dtype=np.float64)

    def by(axis: int | None) -> Floats:
        others = tuple(place for place in range(len(shape)) if place != axis)
        return np.asarray(np.sqrt(squares.mean(axis=others, keepdims=True)), np.float32)

    axes = range(len(shape)) if len(shape) > 1 else [None]
    rows = min(map(by, axes), key=lambda one: float(np.square(one - spread).mean()))
    stored = half_if_safe(rows)
    return stored if stored.decode().min() > 0 else as_float32(rows)


def spread_of(name: str, tensors: Tensors) -> Floats | None:
    """Return the spread of each number of a tensor, or None if it has none."""
    spread = tensors.get(name + SPREAD_SUFFIX)
    return None if spread is None else spread.decode()


def _store_one(
    numbers: Floats, spread: Floats | None, form: Form, aggregation: Aggregation
) -> StoredTensor:
    if form == "float32":
        return as_float32(numbers)
    if form == "int8" and numbers.ndim > 1:
        return _as_best_int8(numbers)
    if form == "packed" and spread is not None:
        return as_packed(numbers, layout_of(numbers, aggregate(spread, aggregation)))
    return half_if_safe(numbers)


def _as_best_int8(numbers: Floats) -> StoredTensor:
    """Scale along the axis that leaves less error, as for spreads."""
    ways = [as_int8(numbers, axis=axis) for axis in range(numbers.ndim)]
    return min(
        ways, key=lambda one: float(np.square(one.decode() - numbers, dtype=np.float64).mean())
    )
