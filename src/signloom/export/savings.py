"""What compressing a package came to: bits, errors and bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from signloom.export.forms import Form, Tensors, spread_of
from signloom.export.significance import Aggregation, aggregate, fixed_point_bits
from signloom.runtime.weights import SPREAD_SUFFIX


@dataclass(frozen=True, kw_only=True)
class Layer:
    """What becomes of one tensor that has a spread."""

    name: str
    numbers: int
    spread: float
    """Standard deviation that stands for the layer."""
    paper_bits: int
    """Significand bits by the paper's count, for numbers with a fixed point."""
    exponent_bits: int | None
    significand_bits: int | None
    """Bits of the float beside its sign; None where the form is not packed."""
    bits: float
    """Bits of a weight in the file, its part of the spreads included."""
    flushed: float
    """Part of the weights that became zero."""
    error: float
    """Root mean square of each weight's rounding error in its own standard deviations."""


@dataclass(frozen=True, kw_only=True)
class Size:
    """Bytes of the same weights in one form, each with one spread an output row."""

    layers: int
    """Of the tensors that have a spread, spreads included."""
    weights: int
    """Of the file of weights."""
    package: int
    """Of the graphs and the weights."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """What compressing a package came to."""

    form: Form
    aggregation: Aggregation
    layers: tuple[Layer, ...]
    exported: Size
    """The package that was given, with a spread for every weight."""
    sizes: Mapping[str, Size]
    """By form; `packed` is missing where nothing has a spread."""

    @property
    def bits(self) -> float | None:
        """Bits of a weight that has a spread, on average, spreads included."""
        numbers = sum(layer.numbers for layer in self.layers)
        return 8 * self.sizes[self.form].layers / numbers if numbers else None

    def to_document(self) -> dict[str, Any]:
        """Give it as JSON."""
        return asdict(self) | {"bits": self.bits}


def layers_of(tensors: Tensors, stored: Tensors, aggregation: Aggregation) -> tuple[Layer, ...]:
    """Compare what is stored with what there was, for every tensor that has a spread.

    Args:
        tensors: By name, as exported.
        stored: The same, compressed.
        aggregation: Which spread stands for a layer.
    """
    layers = []
    for name, tensor in stored.items():
        spread = spread_of(name, tensors)
        if spread is None:
            continue
        means, found = tensors[name].decode(), tensor.decode()
        layout, sigma = tensor.layout, aggregate(spread, aggregation)
        moved = np.divide(found - means, spread, dtype=np.float64)
        size = len(tensor.data) + len(stored[name + SPREAD_SUFFIX].data)
        layers.append(
            Layer(
                name=name,
                numbers=tensor.count,
                spread=sigma,
                paper_bits=fixed_point_bits(sigma),
                exponent_bits=layout.exponent_bits if layout else None,
                significand_bits=layout.significand_bits if layout else None,
                bits=8 * size / tensor.count,
                flushed=float(np.mean((found == 0) & (means != 0))),
                error=float(np.sqrt(np.square(moved).mean())),
            )
        )
    return tuple(layers)


def size_of(tensors: Tensors, file: bytes, graphs: int) -> Size:
    """Count the bytes of weights.

    Args:
        tensors: By name.
        file: The file that they make.
        graphs: Bytes of the graphs beside it.
    """
    spreads = [name for name in tensors if name.endswith(SPREAD_SUFFIX)]
    paired = [*spreads, *(name.removesuffix(SPREAD_SUFFIX) for name in spreads)]
    layers = sum(len(tensors[name].data) for name in paired)
    return Size(layers=layers, weights=len(file), package=graphs + len(file))
