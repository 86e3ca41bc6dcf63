"""A compressed package runs, is as small as it says, and is off by no more than its posterior."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

from signloom.errors import PackageError
from signloom.export.compress import compress_package
from signloom.export.forms import half_if_safe, spread_by_rows
from signloom.runtime.grafting import drawn, graft
from signloom.runtime.graph_guard import find_fault
from signloom.runtime.package import Package, load_package
from signloom.runtime.weights import read_weights
from tests.weighty_package import points, tensors, write_weighty_package


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return write_weighty_package(tmp_path / "bayes", tensors())


def run(package: Package, *, sample: int | None = None) -> np.ndarray:
    stored = read_weights(package.weights or b"")
    graph = graft(package.graph("model"), drawn(stored, seed=5, sample=sample))
    assert find_fault(graph) is None
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    return np.asarray(session.run(["y"], {"tokens": np.arange(11)})[0])


def off(package: Package, other: Package) -> float:
    """How far the means of a model move what it gives, beside how far its own samples do."""
    means = run(package)
    samples = np.stack([run(package, sample=sample) for sample in range(8)])
    return float(np.abs(run(other) - means).mean() / np.abs(samples - means).mean())


def test_a_packed_package_runs_and_moves_less_than_its_own_samples(
    package: Package, tmp_path: Path
) -> None:
    report = compress_package(package, tmp_path / "small")
    small = load_package(tmp_path / "small")
    assert 0 < off(package, small) < 0.5
    assert report.bits is not None
    assert report.bits < 10
    before, after = read_weights(package.weights or b""), read_weights(small.weights or b"")
    for layer in report.layers:
        error = np.abs(after[layer.name].decode() - before[layer.name].decode())
        assert error.max() <= layer.spread
        assert 0 < layer.error < 1


def test_samples_of_a_packed_package_spread_as_before(package: Package, tmp_path: Path) -> None:
    compress_package(package, tmp_path / "small")
    small = load_package(tmp_path / "small")

    def spread(one: Package) -> float:
        means = run(one)
        samples = np.stack([run(one, sample=sample) for sample in range(8)])
        return float((samples - means).std())

    assert spread(small) == pytest.approx(spread(package), rel=0.05)


def test_the_report_counts_the_bytes_that_are_there(package: Package, tmp_path: Path) -> None:
    report = compress_package(package, tmp_path / "small")
    size = report.sizes["packed"]
    files = {path.name: path.stat().st_size for path in (tmp_path / "small").iterdir()}
    assert size.weights == files["weights.bin"]
    assert size.package == files["weights.bin"] + files["model.onnx"]
    numbers = 37 * 131 + 131 + 53 * 131
    assert sum(layer.numbers for layer in report.layers) == numbers
    assert report.bits == pytest.approx(8 * size.layers / numbers)
    by_layer = sum(layer.bits * layer.numbers for layer in report.layers) / numbers
    assert report.bits == pytest.approx(by_layer)
    for layer in report.layers:
        width = 1 + layer.exponent_bits + layer.significand_bits
        assert width < layer.bits < width + 0.5
    order = [report.sizes[form].weights for form in ("packed", "int8", "float16", "float32")]
    assert order == sorted(order)
    assert report.exported.weights == len(package.weights or b"")
    assert report.exported.layers == 2 * 4 * numbers


def test_the_mean_spread_takes_fewer_bits_than_the_smallest(
    package: Package, tmp_path: Path
) -> None:
    safe = compress_package(package, tmp_path / "safe")
    bold = compress_package(package, tmp_path / "bold", aggregation="mean")
    assert bold.bits is not None
    assert safe.bits is not None
    assert bold.bits < safe.bits - 0.5
    assert load_package(tmp_path / "bold").config["compression"]["layers"] == "mean"


@pytest.mark.parametrize(("form", "most"), [("float16", 0.005), ("int8", 0.1)])
@pytest.mark.parametrize("make", [tensors, points])
def test_other_forms_run_too_with_spreads_and_without(
    form: Any, most: float, make, tmp_path: Path
) -> None:
    package = write_weighty_package(tmp_path / "any", make())
    report = compress_package(package, tmp_path / "small", form=form)
    small = load_package(tmp_path / "small")
    change = np.abs(run(small) - run(package)).max() / np.abs(run(package)).max()
    assert 0 < change < most
    kinds = {tensor.kind for tensor in read_weights(small.weights or b"").values()}
    assert kinds == ({"float16"} if form == "float16" else {"float16", "int8"})
    assert (report.bits is None) == (make is points) == ("packed" not in report.sizes)


def test_the_new_package_says_what_was_done_and_keeps_everything_else(
    package: Package, tmp_path: Path
) -> None:
    report = compress_package(package, tmp_path / "small")
    small = load_package(tmp_path / "small")
    made = small.config["compression"]
    assert made == {"form": "packed", "layers": "min", "bits": made["bits"], "of": package.id}
    assert made["bits"] == pytest.approx(report.bits, abs=0.001)
    assert small.name == "small"
    assert {**small.config, "name": "bayes"} == {**package.config, "compression": made}
    assert small.graphs == package.graphs
    vocabulary = (tmp_path / "small" / "vocabulary.json").read_text()
    assert vocabulary == (package.path / "vocabulary.json").read_text()
    assert small.card.startswith("# small\n\nReads nothing.\n\n## Compression\n")
    assert "measure this package itself" in small.card
    assert str(report.sizes["packed"].weights) in small.card


def test_points_cannot_be_packed(tmp_path: Path) -> None:
    package = write_weighty_package(tmp_path / "points", points())
    with pytest.raises(PackageError, match="must have spreads"):
        compress_package(package, tmp_path / "small")
    assert not (tmp_path / "small").exists()


def test_a_package_of_other_kinds_is_refused(package: Package, tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"must have `weights\.bin`"):
        compress_package(write_weighty_package(tmp_path / "light", None), tmp_path / "small")
    compress_package(package, tmp_path / "small")
    with pytest.raises(PackageError, match="compressed already"):
        compress_package(load_package(tmp_path / "small"), tmp_path / "smaller")
    with pytest.raises(PackageError, match="exists already"):
        compress_package(package, tmp_path / "small")
    compress_package(package, tmp_path / "small", form="int8", overwrite=True)
    assert load_package(tmp_path / "small").config["compression"]["form"] == "int8"


def test_spreads_become_one_number_an_output_whichever_way_round() -> None:
    columns = np.linspace(0.1, 0.5, 7, dtype=np.float32)[None, :]
    spread = np.repeat(columns, 5, axis=0)
    np.testing.assert_allclose(spread_by_rows(spread, (5, 7)).decode(), columns, rtol=1e-3)
    np.testing.assert_allclose(spread_by_rows(spread.T, (7, 5)).decode(), columns.T, rtol=1e-3)
    np.testing.assert_allclose(spread_by_rows(columns.T, (7, 3)).decode(), columns.T, rtol=1e-3)
    vector = spread_by_rows(np.array([3.0, 4.0], np.float32), (2,)).decode()
    np.testing.assert_allclose(vector, [np.sqrt(12.5)], rtol=1e-3)
    single = spread_by_rows(np.array(0.25, np.float32), ()).decode()
    assert (single.shape, float(single)) == ((), 0.25)


def test_half_precision_is_taken_only_where_it_holds_the_numbers() -> None:
    assert half_if_safe(np.array([1.0, 1e-7], np.float32)).kind == "float16"
    assert half_if_safe(np.array([0.0, 0.0], np.float32)).kind == "float16"
    assert half_if_safe(np.array([1.0, 70_000], np.float32)).kind == "float32"
    assert half_if_safe(np.array([1.37e-7, 3e-8], np.float32)).kind == "float32"
    tiny = spread_by_rows(np.array([[1e-9] * 3, [1.0] * 3], np.float32), (2, 3))
    assert tiny.kind == "float32"
    assert tiny.decode().min() > 0
