"""A package small enough to be read whose weights lie beside its graph, with a spread each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx.parser

from signloom.runtime.package import Package, write_package
from signloom.runtime.weights import write_weights

GRAPH = """
<ir_version: 10, opset_import: ["" : 20]>
g (int64[B] tokens) => (float[B, 53] y)
{
  embedded = Gather (embedding, tokens)
  hidden = MatMul (embedded, inner)
  moved = Add (hidden, bias)
  active = Relu (moved)
  y = Gemm <transB = 1> (active, outer)
}
"""
CONFIG = {"name": "bayes", "system": "translate", "kind": "glosses", "extra": {"depth": 2}}


def tensors() -> dict[str, np.ndarray]:
    """Give weights of odd sizes; one matrix has its outputs last, the other first."""
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.1, shape).astype(np.float32)

    columns = np.geomspace(0.01, 0.08, 131, dtype=np.float32)[None, :]
    rows = np.geomspace(0.02, 0.03, 53, dtype=np.float32)[:, None]
    wobble = rng.uniform(0.9, 1.1, (37, 131)).astype(np.float32)
    return {
        "embedding": normal(11, 37) * 10,
        "inner": normal(37, 131),
        "inner.spread": columns * wobble,
        "bias": normal(131),
        "bias.spread": np.full(131, 0.01, np.float32),
        "outer": normal(53, 131),
        "outer.spread": np.repeat(rows, 131, axis=1),
    }


def write_weighty_package(
    folder: Path, weights: dict[str, np.ndarray] | None, **changes: Any
) -> Package:
    """Write the package; without weights it is one of those that keep them in the graphs."""
    return write_package(
        folder,
        graphs={"model": bytes(onnx.parser.parse_model(GRAPH).SerializeToString())},
        config=CONFIG | changes,
        vocabulary={"tokens": ["<pad>", "<unk>", "é"], "source": ["<pad>", "A"]},
        card="# bayes\n\nReads nothing.\n",
        weights=None if weights is None else write_weights(weights),
    )


def points() -> dict[str, np.ndarray]:
    """Give the weights without their spreads."""
    return {name: one for name, one in tensors().items() if not name.endswith(".spread")}
