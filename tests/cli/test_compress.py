"""`signloom compress` makes the smaller package and says what became of it."""

from __future__ import annotations

import json
from pathlib import Path

from signloom.export.compress import compress_package
from signloom.runtime.package import load_package
from tests.cli.conftest import Run
from tests.weighty_package import points, tensors, write_weighty_package


def test_the_layers_and_the_sizes_are_printed(run: Run) -> None:
    package = write_weighty_package(Path("bayes"), tensors())
    shown = run("compress", "bayes", "small").stdout
    report = compress_package(package, Path("twin"))
    layer = report.layers[0]
    assert f"1+{layer.exponent_bits}+{layer.significand_bits}" in shown
    for text in ("inner", "outer", "bias", "float16", str(report.sizes["packed"].weights)):
        assert text in shown


def test_json_is_printed_and_a_package_that_is_there_is_not_replaced_unasked(run: Run) -> None:
    write_weighty_package(Path("bayes"), tensors())
    first = json.loads(run("compress", "bayes", "small", "--json").stdout)
    command = ("compress", "bayes", "small", "--layers", "mean", "--json")
    refused = run(*command)
    assert refused.code == 2
    assert "exists already" in refused.stderr
    second = json.loads(run(*command, "--overwrite").stdout)
    assert (first["aggregation"], second["aggregation"]) == ("min", "mean")
    assert second["bits"] < first["bits"]
    assert load_package("small").config["compression"]["layers"] == "mean"


def test_points_are_packed_by_no_spread_but_stored_in_steps(run: Run) -> None:
    write_weighty_package(Path("points"), points())
    refused = run("compress", "points", "small")
    assert refused.code == 2
    assert "must have spreads" in refused.stderr
    done = run("compress", "points", "small", "--form", "int8")
    assert done.code == 0
    assert "with a spread" in done.stdout
    assert "Weights with a spread" not in done.stdout
