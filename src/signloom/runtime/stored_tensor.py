"""One tensor as a file of weights holds it: its numbers in one of four forms, decoded when asked.

float32, float16   as they are, little-endian
int8               float32 scales, one a slice of `axis`, then a whole number from -127 to 127
packed             floats of 2 to 31 bits without a gap (`signloom.runtime.bits`)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from signloom.errors import PackageError
from signloom.runtime.bits import Layout, pack, packed_size, unpack

KINDS = ("float32", "float16", "int8", "packed")

Floats = npt.NDArray[np.float32]

_FLOATS = {"float32": "<f4", "float16": "<f2"}


@dataclass(frozen=True, kw_only=True)
class StoredTensor:
    """A tensor whose numbers are still bytes."""

    kind: str
    """One of `KINDS`."""
    shape: tuple[int, ...]
    """Size of each axis."""
    data: bytes | memoryview = field(repr=False)
    """The bytes of its numbers, `size_of` many."""
    axis: int | None = None
    """Axis along which an int8 tensor has scales; None for one scale in all."""
    layout: Layout | None = None
    """How a packed tensor shares its bits out."""

    @property
    def count(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    def decode(self) -> Floats:
        """Give the numbers.

        Returns:
            float32 of `shape`, in memory of its own.

        Raises:
            PackageError: A number is not finite.
        """
        if self.kind == "packed" and self.layout is not None:
            return unpack(self.data, self.count, self.layout).reshape(self.shape)
        numbers = self._scaled() if self.kind == "int8" else self._floats()
        if not np.isfinite(numbers).all():
            raise PackageError(
                f"The numbers of a weight must be finite, but one of a {self.kind} tensor of shape "
                f"{list(self.shape)} is not. Install the package again."
            )
        return numbers

    def _floats(self) -> Floats:
        numbers = np.frombuffer(self.data, _FLOATS[self.kind]).astype(np.float32)
        return numbers.reshape(self.shape)

    def _scaled(self) -> Floats:
        shape = scales_shape(self.shape, self.axis)
        num_scales = math.prod(shape)
        scales = np.frombuffer(self.data, "<f4", count=num_scales).astype(np.float32)
        steps = np.frombuffer(self.data, np.int8, offset=4 * num_scales).reshape(self.shape)
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused
            return np.asarray(steps.astype(np.float32) * scales.reshape(shape), np.float32)


def size_of(
    kind: str, shape: tuple[int, ...], *, axis: int | None = None, layout: Layout | None = None
) -> int:
    """Return how many bytes a tensor takes."""
    count = math.prod(shape)
    if kind == "packed" and layout is not None:
        return packed_size(count, layout)
    if kind == "int8":
        return count + 4 * math.prod(scales_shape(shape, axis))
    return count * np.dtype(_FLOATS[kind]).itemsize


def scales_shape(shape: tuple[int, ...], axis: int | None) -> tuple[int, ...]:
    """Return the shape of the scales, which multiply the tensor by broadcasting.

    Example:
        >>> scales_shape((3, 5), 0), scales_shape((3, 5), None)
        ((3, 1), (1, 1))
    """
    return tuple(size if place == axis else 1 for place, size in enumerate(shape))


def as_float32(numbers: Floats) -> StoredTensor:
    """Store numbers as they are."""
    return _as_floats(numbers, "float32")


def as_float16(numbers: Floats) -> StoredTensor:
    """Store numbers rounded to half precision.

    Raises:
        PackageError: One is too large for it.
    """
    return _as_floats(numbers, "float16")


def as_int8(numbers: Floats, *, axis: int | None) -> StoredTensor:
    """Store numbers as 255 even steps.

    Args:
        numbers: Of any shape.
        axis: Axis along which each slice has a scale of its own; None for one scale in all.
    """
    _check_finite(numbers)
    others = tuple(place for place in range(numbers.ndim) if place != axis)
    scales = (np.abs(numbers).max(axis=others, keepdims=True) / np.float32(127)).astype("<f4")
    steps = np.rint(numbers / np.where(scales > 0, scales, 1)).clip(-127, 127).astype(np.int8)
    return StoredTensor(
        kind="int8", shape=numbers.shape, axis=axis, data=scales.tobytes() + steps.tobytes()
    )


def as_packed(numbers: Floats, layout: Layout) -> StoredTensor:
    """Store numbers rounded to a layout."""
    _check_finite(numbers)
    return StoredTensor(
        kind="packed", shape=numbers.shape, layout=layout, data=pack(numbers, layout)
    )


def _as_floats(numbers: Floats, kind: str) -> StoredTensor:
    with np.errstate(over="ignore"):
        stored = numbers.astype(_FLOATS[kind])
    _check_finite(stored)
    return StoredTensor(kind=kind, shape=numbers.shape, data=stored.tobytes())


def _check_finite(numbers: npt.NDArray[np.floating]) -> None:
    if not np.isfinite(numbers).all():
        raise PackageError(
            f"A weight must hold numbers that {numbers.dtype.name} can hold, but one of shape "
            f"{list(numbers.shape)} does not. Train again, or store it in a wider form."
        )
