"""A package of one graph for each layer: the same numbers where there is one, faults named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from signloom.errors import PackageError
from signloom.runtime.package import Package, write_package
from signloom.runtime.sessions import open_session
from signloom.search.blocks import decode, decode_blocks, forced_pass
from tests.tiny_package import ENCODER, STEP, serialise, write_tiny_package

TOKENS = np.array([[3, 5, 7, 11, 4], [9, 8, 0, 0, 0], [6, 1, 12, 0, 0]])
LENGTHS = np.array([13, 7, 2])
# The tiny step with one layer's memory and cache instead of those of all layers.
LAYER = (
    STEP.replace("float[B, N, 1, 2, 1, 150] memory", "float[B, N, 2, 1, 150] memory")
    .replace("float[P, B, 1, 2, 1, 150] past", "float[P, B, 2, 1, 150] past")
    .replace("float[S, B, 1, 2, 1, 150] new", "float[S, B, 2, 1, 150] new")
    .replace("int64[3] cross = {1, 3, 4}", "int64[3] cross = {1, 2, 3}")
    .replace("int64[3] seen = {0, 3, 4}", "int64[3] seen = {0, 2, 3}")
    .replace("int64[3] axes = {2, 3, 4}", "int64[2] axes = {2, 3}")
    .replace("int64[6] sizes = {1, 1, 1, 2, 1, 150}", "int64[5] sizes = {1, 1, 2, 1, 150}")
    .replace("layer = Squeeze (history, one)", "layer = Identity (history)")
    .replace("doubled = Squeeze (summed, one)", "doubled = Identity (summed)")
)


def injected(folder: Path, layer: str = LAYER, **changes: Any) -> Package:
    """Write the tiny package as one of the schedule `injected`."""
    tiny = write_tiny_package(folder / "tiny", schedule="injected", **changes)
    return write_package(
        folder / "injected",
        graphs={"encoder": serialise(ENCODER), "layer_0": serialise(layer)},
        config=tiny.config,
        vocabulary={"tokens": list(tiny.vocabulary)},
        card="",
    )


def test_a_single_layer_gives_the_same_under_either_schedule(tmp_path: Path) -> None:
    block = open_session(write_tiny_package(tmp_path / "block"))
    layers = open_session(injected(tmp_path))
    expected = decode(block, TOKENS, LENGTHS)
    np.testing.assert_allclose(decode(layers, TOKENS, LENGTHS), expected, atol=1e-5)
    np.testing.assert_allclose(
        forced_pass(layers, TOKENS, LENGTHS, frames=expected),
        forced_pass(block, TOKENS, LENGTHS, frames=expected),
        atol=1e-5,
    )


def test_streamed_equals_whole(tmp_path: Path) -> None:
    session = open_session(injected(tmp_path))
    blocks = [piece.frames for piece in decode_blocks(session, TOKENS, LENGTHS)]
    assert [block.shape[1] for block in blocks] == [4, 4, 4, 1]
    np.testing.assert_array_equal(np.concatenate(blocks, axis=1), decode(session, TOKENS, LENGTHS))


def test_a_missing_layer_is_named(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"must hold `layer_0\.onnx`"):
        open_session(write_tiny_package(tmp_path / "tiny", schedule="injected"))


def test_a_layer_of_other_sizes_than_the_config_says_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"must have shape .* by config\.json"):
        open_session(injected(tmp_path, STEP))


def test_a_layer_that_gives_no_frames_is_named(tmp_path: Path) -> None:
    session = open_session(injected(tmp_path, LAYER.replace("half = {0.5}", "half = {inf}")))
    with pytest.raises(PackageError, match=r"layer_0.onnx` .* `frames` must be numbers"):
        decode(session, TOKENS, LENGTHS)
