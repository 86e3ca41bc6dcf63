"""Graphs of a package, opened and run on ONNX Runtime; whatever goes wrong names the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime

from signloom.errors import PackageError
from signloom.runtime.grafting import graft, missing
from signloom.runtime.graph_guard import find_fault
from signloom.runtime.package import Package

Shape = tuple[int | None, ...]
"""Size of each axis; None where it differs from run to run."""

SILENT = 4
"""Log level at which ONNX Runtime writes nothing of what it raises anyway."""

_KINDS = {
    **dict.fromkeys(("tokens", "position", "lengths", "out_lengths", "steps", "language"), "int64"),
    "pictures": "uint8",
    "pixels": "uint8",
}


class Graph:
    """One graph of a package, ready to run.

    Args:
        session: ONNX Runtime's session of it.
        where: What to call it in a message.
    """

    def __init__(self, session: Any, *, where: str) -> None:
        self._session = session
        self._where = where

    def run(
        self,
        outputs: Sequence[str],
        inputs: Mapping[str, npt.NDArray[Any]],
        *,
        shapes: Sequence[tuple[int, ...]] | None = None,
    ) -> list[Any]:
        """Run the graph.

        Args:
            outputs: Names of what is wanted.
            inputs: Arrays by name.
            shapes: Shape that each output must have.

        Raises:
            PackageError: The graph fails, or an output has another shape.
        """
        try:
            results = self._session.run(list(outputs), dict(inputs))
        except Exception as error:  # ONNX Runtime's own have no other common root
            raise PackageError(f"{self._where} failed: {one_line(error)}.") from error
        for name, result, shape in zip(outputs, results, shapes or (), strict=shapes is not None):
            if np.shape(result) != shape:
                raise self.fault(
                    f"`{name}` must have shape {list(shape)}, but has {list(np.shape(result))}"
                )
        return list(results)

    def check_shapes(self, shapes: Mapping[str, Shape]) -> None:
        """Compare what the graph declares with what the package's config says.

        Raises:
            PackageError: An input or output has another type, rank or fixed size.
        """
        values = {v.name: v for v in (*self._session.get_inputs(), *self._session.get_outputs())}
        for name, shape in shapes.items():
            kind = f"tensor({_KINDS.get(name, 'float')})"
            if values[name].type != kind:
                raise self.fault(f"`{name}` must be a {kind}, but is a {values[name].type}")
            found = [size if isinstance(size, int) else None for size in values[name].shape]
            sizes = zip(found, shape, strict=False)
            if len(found) != len(shape) or any(
                size is not None and must is not None and size != must for size, must in sizes
            ):
                raise self.fault(
                    f"`{name}` must have shape {_readable(shape)} by config.json, but has "
                    f"{_readable(tuple(found))}"
                )

    def fault(self, reason: str) -> PackageError:
        """Make the error that says what is wrong with the graph."""
        return PackageError(
            f"{self._where} does not hold: {reason}. Install the package again, or tell its maker."
        )


def open_graph(
    package: Package,
    name: str,
    *,
    names: tuple[set[str], set[str]],
    threads: int = 1,
    weights: Mapping[str, npt.NDArray[np.float32]] | None = None,
) -> Graph:
    """Open one graph of a package for fast start and little memory.

    Args:
        package: The package.
        name: Which graph, without suffix.
        names: Inputs and outputs that it must have.
        threads: Threads inside one operator.
        weights: What the graph names but does not hold.

    Raises:
        PackageError: The graph is missing, unreadable, reads other files, lacks weights, or has
            other inputs or outputs.
    """
    where = f"`{name}.onnx` of {package.path}"
    return open_bytes(
        package.graph(name), where=where, names=names, threads=threads, weights=weights
    )


def open_bytes(
    data: bytes,
    *,
    where: str,
    names: tuple[set[str], set[str]],
    threads: int = 1,
    weights: Mapping[str, npt.NDArray[np.float32]] | None = None,
) -> Graph:
    """Open a serialised graph; see `open_graph`.

    Args:
        data: The graph.
        where: What to call it in messages.
        names: Inputs and outputs that it must have.
        threads: Threads inside one operator.
        weights: What the graph names but does not hold.

    Raises:
        PackageError: As `open_graph`.
    """
    fault = find_fault(data)
    if fault:
        raise PackageError(f"{where} cannot be run: {fault}.")
    if weights is not None:
        data = _grafted(data, weights, where=where)
    try:
        session = onnxruntime.InferenceSession(
            data,
            _options(threads),
            providers=["CPUExecutionProvider"],
            enable_fallback=0,  # it would tell standard output that it tries again
        )
        inputs = {value.name for value in session.get_inputs()}
        outputs = {value.name for value in session.get_outputs()}
    except Exception as error:  # ONNX Runtime's own have no other common root
        raise PackageError(f"{where} cannot be run: {one_line(error)}.") from error
    if (inputs, outputs) != names:
        raise PackageError(
            f"{where} must take {sorted(names[0])} and give "
            f"{sorted(names[1])}, but takes {sorted(inputs)} and gives {sorted(outputs)}."
        )
    return Graph(session, where=where)


def _grafted(data: bytes, weights: Mapping[str, npt.NDArray[np.float32]], *, where: str) -> bytes:
    """Add the weights that a graph lacks."""
    wanted = missing(data)
    strangers = sorted(wanted - set(weights))
    if strangers:
        raise PackageError(
            f"{where} cannot be run: `weights.bin` must hold {strangers[0]}, but does not."
        )
    return graft(data, {name: weights[name] for name in wanted})


def one_line(error: Exception) -> str:
    """Give the message of an error in one line of printable characters, cut to 300."""
    text = " ".join(str(error).split())
    return "".join(one if one.isprintable() else "?" for one in text)[:300].rstrip(".")


def _options(threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = SILENT
    # Fusing further costs more at start (45 ms) than it gains in decoding (nothing measurable).
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.load_model_format", "ONNX")
    return options


def _readable(shape: Shape) -> str:
    return "[" + ", ".join("any" if size is None else str(size) for size in shape) + "]"
