"""Floats of any width, packed in bytes without a bit between them.

A number is a sign, an exponent code and a significand without its leading one, like IEEE 754. The
exponent code 0 means exactly zero whatever follows (there are no subnormals), code 1 the least
exponent of the layout. No code stands for infinity. Within a byte the first number comes first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

MAX_EXPONENT_BITS = 7
MAX_SIGNIFICAND_BITS = 23
LEAST_EXPONENT, GREATEST_EXPONENT = -126, 127
"""Exponents of the normal numbers of float32, in which everything is given back."""

_BIAS = 127
_CHUNK = 2**17  # numbers at once; a multiple of 8, so that a chunk ends with a whole byte


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How the bits of a number are shared out.

    Raises:
        ValueError: The layout asks for what float32 does not have.
    """

    exponent_bits: int
    """From 1 to 7."""
    significand_bits: int
    """From 0 to 23; the leading one is not among them."""
    least_exponent: int
    """Exponent of the smallest number that is not zero."""

    def __post_init__(self) -> None:
        if not (
            1 <= self.exponent_bits <= MAX_EXPONENT_BITS
            and 0 <= self.significand_bits <= MAX_SIGNIFICAND_BITS
            and self.least_exponent >= LEAST_EXPONENT
            and self.least_exponent + 2**self.exponent_bits - 2 <= GREATEST_EXPONENT
        ):
            raise ValueError(
                "A layout must have 1 to 7 exponent bits, 0 to 23 significand bits and exponents "
                f"from -126 to 127, but is {self}."
            )

    @property
    def width(self) -> int:
        """Bits of a number."""
        return 1 + self.exponent_bits + self.significand_bits

    @property
    def greatest(self) -> float:
        """Largest number that the layout holds."""
        return float(_numbers(np.array([2 ** (self.width - 1) - 1], np.uint32), self)[0])


def packed_size(count: int, layout: Layout) -> int:
    """Return how many bytes a row of numbers takes.

    Example:
        >>> packed_size(5, Layout(exponent_bits=3, significand_bits=3, least_exponent=-7))
        5
    """
    return (count * layout.width + 7) // 8


def pack(values: npt.NDArray[np.float32], layout: Layout) -> bytes:
    """Round numbers to the nearest of a layout, ties to the even code, and pack them.

    What is too large becomes the largest number; what is nearer to zero than to the smallest
    becomes zero.

    Args:
        values: Finite numbers of any shape; they are taken in the order of C.
        layout: How to share the bits out.

    Returns:
        `packed_size` bytes; what is left of the last one is zero.

    Example:
        >>> quarter = Layout(exponent_bits=2, significand_bits=1, least_exponent=-1)
        >>> pack(np.float32([1.0, -1.5]), quarter).hex()  # 0 10 0 and 1 10 1
        '4d'
    """
    flat = np.ascontiguousarray(values, np.float32).reshape(-1)
    parts = [
        _join(_codes(flat[start : start + _CHUNK], layout), layout.width)
        for start in range(0, flat.size, _CHUNK)
    ]
    return b"".join(parts)


def unpack(data: bytes | memoryview, count: int, layout: Layout) -> npt.NDArray[np.float32]:
    """Give back packed numbers.

    Args:
        data: What `pack` gave.
        count: How many numbers there are.
        layout: The layout that they were packed by.

    Returns:
        float32 [count], finite whatever the bytes are.

    Raises:
        ValueError: The data has another size.
    """
    if len(data) != packed_size(count, layout):
        raise ValueError(f"{count} numbers of {layout} cannot have {len(data)} bytes.")
    packed = np.frombuffer(data, np.uint8)
    numbers = np.empty(count, np.float32)
    step = _CHUNK * layout.width // 8
    for start, place in zip(range(0, count, _CHUNK), range(0, len(data), step), strict=True):
        part = numbers[start : start + _CHUNK]
        part[:] = _numbers(_split(packed[place : place + step], part.size, layout.width), layout)
    return numbers


def rounded(values: npt.NDArray[np.float32], layout: Layout) -> npt.NDArray[np.float32]:
    """Return what packing and unpacking leave of numbers; the shape stays."""
    return unpack(pack(values, layout), values.size, layout).reshape(values.shape)


def _codes(values: npt.NDArray[np.float32], layout: Layout) -> npt.NDArray[np.uint32]:
    """Give the code of each number.

    The bits of a float32 without its sign grow with the number, so rounding is integer arithmetic
    on them, and a significand that overflows carries into the exponent by itself.
    """
    bits = values.view(np.uint32)
    magnitude = (bits & 0x7FFFFFFF).astype(np.int64)
    dropped = MAX_SIGNIFICAND_BITS - layout.significand_bits
    if dropped:
        magnitude += (1 << (dropped - 1)) - 1 + ((magnitude >> dropped) & 1)
        magnitude >>= dropped
    code = magnitude - ((layout.least_exponent - 1 + _BIAS) << layout.significand_bits)
    smallest = 1 << layout.significand_bits
    nearer_to_zero = np.abs(values) <= np.float32(2.0) ** (layout.least_exponent - 1)
    code = np.where(nearer_to_zero, 0, np.clip(code, smallest, 2 ** (layout.width - 1) - 1))
    sign = (bits >> 31).astype(np.int64) << (layout.width - 1)
    return np.where(code, code | sign, 0).astype(np.uint32)


def _numbers(codes: npt.NDArray[np.uint32], layout: Layout) -> npt.NDArray[np.float32]:
    """Give the number of each code."""
    magnitude = codes & np.uint32(2 ** (layout.width - 1) - 1)
    moved = magnitude + np.uint32((layout.least_exponent - 1 + _BIAS) << layout.significand_bits)
    bits = moved << np.uint32(MAX_SIGNIFICAND_BITS - layout.significand_bits)
    bits |= (codes >> np.uint32(layout.width - 1)) << np.uint32(31)
    zero = (magnitude >> np.uint32(layout.significand_bits)) == 0
    return np.where(zero, np.uint32(0), bits).astype(np.uint32).view(np.float32)


def _join(codes: npt.NDArray[np.uint32], width: int) -> bytes:
    """Write the last `width` bits of each code, one after another."""
    bits = np.unpackbits(codes.astype(">u4").view(np.uint8)).reshape(-1, 32)
    return np.packbits(bits[:, 32 - width :]).tobytes()


def _split(packed: npt.NDArray[np.uint8], count: int, width: int) -> npt.NDArray[np.uint32]:
    """Read codes of `width` bits."""
    bits = np.zeros((count, 32), np.uint8)
    bits[:, 32 - width :] = np.unpackbits(packed, count=count * width).reshape(count, width)
    return np.packbits(bits).view(">u4").astype(np.uint32)
