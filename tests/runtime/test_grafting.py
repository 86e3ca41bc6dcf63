"""Weights grafted on a graph are as if they had never been away from it."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import onnx.parser
import onnxruntime
import pytest

from signloom.errors import PackageError
from signloom.runtime import grafting
from signloom.runtime.grafting import drawn, graft, missing
from signloom.runtime.graph_guard import find_fault
from signloom.runtime.stored_tensor import as_float16, as_int8
from signloom.runtime.weights import read_weights, write_weights

GRAPH = """
<ir_version: 10, opset_import: ["" : 20]>
g (float[B, 5] x) => (float[B, 3] y)
<int64[1] zeroth = {0}>
{
  hidden = MatMul (x, inner)
  moved = Add (hidden, bias)
  mixed = Gemm <transB = 1> (moved, outer)
  wide = Unsqueeze (shift, zeroth)
  y = Add (mixed, wide)
}
"""


def tensors() -> dict[str, np.ndarray]:
    """Give weights of every rank; the long one takes a size of several digits."""
    rng = np.random.default_rng(0)
    shapes = {"inner": (5, 301), "bias": (301,), "outer": (3, 301), "shift": ()}
    return {name: np.asarray(rng.normal(size=shape), np.float32) for name, shape in shapes.items()}


def whole() -> bytes:
    model = onnx.parser.parse_model(GRAPH)
    model.graph.initializer.extend(
        onnx.numpy_helper.from_array(numbers, name) for name, numbers in tensors().items()
    )
    return bytes(model.SerializeToString())


def run(graph: bytes) -> np.ndarray:
    x = np.random.default_rng(1).normal(size=(7, 5)).astype(np.float32)
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    return np.asarray(session.run(["y"], {"x": x})[0])


def prune(graph: bytes, names) -> bytes:
    """Take initializers away, so that the graph lacks what it names."""
    model = onnx.load_from_string(graph)
    kept = [table for table in model.graph.initializer if table.name not in names]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    return model.SerializeToString()


def initializers(graph: bytes) -> dict[str, np.ndarray]:
    model = onnx.load_from_string(graph)
    tables = {table.name: onnx.numpy_helper.to_array(table) for table in model.graph.initializer}
    return {name: table for name, table in tables.items() if table.dtype == np.float32}


def test_what_is_pruned_and_grafted_gives_exactly_what_it_gave() -> None:
    names = {"inner", "outer", "shift"}
    small = prune(whole(), names)
    assert set(initializers(small)) == {"bias"}
    assert len(small) < len(whole()) / 3
    held = {name: numbers for name, numbers in initializers(whole()).items() if name in names}
    grafted = graft(small, held)
    assert find_fault(grafted) is None
    np.testing.assert_array_equal(run(grafted), run(whole()))


def test_grafted_tensors_are_those_that_the_library_of_onnx_reads() -> None:
    held = tensors() | {"größe": np.zeros((2, 3, 1, 5), np.float32)}
    found = initializers(graft(prune(whole(), tensors()), held))
    assert list(found) == list(held)
    for name, numbers in held.items():
        np.testing.assert_array_equal(found[name], numbers)
        assert found[name].shape == numbers.shape


def test_numbers_out_of_order_in_memory_are_written_in_order() -> None:
    held = {"w": np.arange(15, dtype=np.float32).reshape(3, 5).T}
    np.testing.assert_array_equal(initializers(graft(b"", held))["w"], held["w"])


def test_what_a_graph_is_missing_is_what_was_pruned() -> None:
    assert missing(whole()) == frozenset()
    small = prune(whole(), {"inner", "shift"})
    assert missing(small) == {"inner", "shift"}
    assert missing(graft(small, {"shift": tensors()["shift"]})) == {"inner"}


def test_an_input_that_is_left_out_is_not_missing() -> None:
    node = onnx.helper.make_node("Clip", ["x", "", "most"], ["y"])
    model = onnx.parser.parse_model(GRAPH)
    del model.graph.node[:]
    model.graph.node.append(node)
    assert missing(model.SerializeToString()) == {"most"}


def test_a_pruned_graph_alone_does_not_run() -> None:
    with pytest.raises(Exception, match="outer"):
        run(prune(whole(), {"outer"}))


def test_what_protobuf_could_not_read_is_refused(monkeypatch) -> None:
    size = len(graft(whole(), tensors()))
    monkeypatch.setattr(grafting, "MAX_BYTES", size)
    graft(whole(), tensors())
    monkeypatch.setattr(grafting, "MAX_BYTES", size - 1)
    with pytest.raises(PackageError, match=f"at most {size - 1} bytes, but have {size}"):
        graft(whole(), tensors())


def stored():
    held = tensors()
    rows = np.linspace(0.01, 0.3, 3, dtype=np.float32)[:, None]
    return read_weights(
        write_weights(
            {
                "inner": held["inner"],
                "inner.spread": np.full((5, 301), 0.5, np.float32),
                "outer": as_int8(held["outer"], axis=0),
                "outer.spread": as_float16(rows),
                "bias": held["bias"],
            }
        )
    )


def test_without_a_sample_the_means_are_given() -> None:
    means = drawn(stored(), seed=0, sample=None)
    assert list(means) == ["inner", "outer", "bias"]
    np.testing.assert_array_equal(means["inner"], tensors()["inner"])
    np.testing.assert_array_equal(means["outer"], stored()["outer"].decode())


def test_draws_have_the_mean_and_the_spread_that_are_stored() -> None:
    means = drawn(stored(), seed=3, sample=None)
    draws = [drawn(stored(), seed=3, sample=sample) for sample in range(4)]
    off = np.stack([draw["inner"] - means["inner"] for draw in draws]) / 0.5
    assert off.mean() == pytest.approx(0, abs=0.05)
    assert off.std() == pytest.approx(1, abs=0.05)
    rows = np.stack([draw["outer"] - means["outer"] for draw in draws]).std(axis=(0, 2))
    np.testing.assert_allclose(rows, np.linspace(0.01, 0.3, 3), rtol=0.1)


def test_a_draw_depends_on_seed_sample_and_name_and_what_has_no_spread_stays() -> None:
    first = drawn(stored(), seed=3, sample=0)
    np.testing.assert_array_equal(drawn(stored(), seed=3, sample=0)["inner"], first["inner"])
    for other in (drawn(stored(), seed=4, sample=0), drawn(stored(), seed=3, sample=1)):
        assert (other["inner"] != first["inner"]).mean() > 0.99
        np.testing.assert_array_equal(other["bias"], first["bias"])
    alone = {name: stored()[name] for name in ("inner", "inner.spread")}
    np.testing.assert_array_equal(drawn(alone, seed=3, sample=0)["inner"], first["inner"])
