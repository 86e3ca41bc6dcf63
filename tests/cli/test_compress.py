"""`signloom compress` makes the smaller package and says what became of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from signloom.export.compress import compress_package
from signloom.runtime.checksums import listing
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


def test_a_name_that_looks_like_markup_is_printed_as_it_is(run: Run) -> None:
    name = "[/b]x"
    one = np.ones(3, np.float32)
    write_weighty_package(Path("bayes"), tensors() | {name: one, f"{name}.spread": one})
    done = run("compress", "bayes", "small")
    assert done.code == 0, done.stderr
    assert name in done.stdout


@pytest.mark.parametrize("form", ["packed", "int8", "float16"])
def test_weights_of_any_size_make_a_report_that_is_json(run: Run, form: str) -> None:
    extreme = {
        "inner": np.random.default_rng(0).uniform(-3e38, 3e38, (37, 131)).astype(np.float32),
        "inner.spread": np.full((37, 131), 1e-45, np.float32),
    }
    write_weighty_package(Path("bayes"), tensors() | extreme)
    done = run("compress", "bayes", "small", "--form", form, "--json")
    assert done.code == 0, done.stderr
    assert json.loads(done.stdout, parse_constant=pytest.fail)["form"] == form


@pytest.mark.parametrize("found", ["NaN", r'"\ud800"'])
def test_a_config_that_cannot_be_written_again_is_refused_in_one_line(run: Run, found: str) -> None:
    write_weighty_package(Path("bayes"), tensors())
    config = Path("bayes/config.json")
    config.write_text(config.read_text().rstrip().removesuffix("}") + f', "odd": {found}}}')
    sums = json.loads(Path("bayes/checksums.json").read_text())
    sums |= listing({"config.json": config.read_bytes()})
    Path("bayes/checksums.json").write_text(json.dumps(sums))
    done = run("compress", "bayes", "small")
    assert (done.code, done.stderr.count("\n")) == (2, 1)
    assert "must be JSON in UTF-8" in done.stderr
    assert [path.name for path in Path().iterdir()] == ["bayes"]
