"""Halved tables give the same numbers; rounded weights are stored in half the bytes."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
import torch
from torch import nn

from signloom.export.halving import round_weights
from signloom.export.onnx import to_onnx
from signloom.runtime.graph_guard import find_fault

pytestmark = pytest.mark.compiled


def export(model: nn.Module) -> bytes:
    rows = torch.export.Dim("rows")
    return to_onnx(model, {"x": (torch.randn(3, 37), {0: rows})}, outputs=("y",))


def run(graph: bytes, x: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    return np.asarray(session.run(["y"], {"x": x})[0])


def test_a_rounded_model_takes_half_the_bytes_and_gives_what_it_gave() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(37, 113), nn.ReLU(), nn.Linear(113, 5)).eval()
    whole = export(model)
    before = model[0].weight.detach().clone()
    round_weights(model)
    halved = export(model)
    assert len(halved) < 0.65 * len(whole)
    assert find_fault(halved) is None
    x = np.random.default_rng(0).normal(size=(7, 37)).astype(np.float32)
    with torch.no_grad():
        expected = model(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(run(halved, x), expected, atol=1e-5, rtol=1.3e-6)
    assert not torch.equal(model[0].weight, before)
    torch.testing.assert_close(model[0].weight, before, rtol=5e-4, atol=1e-7)


def test_a_model_that_is_not_rounded_keeps_its_digits() -> None:
    torch.manual_seed(1)
    model = nn.Linear(37, 113).eval()
    x = np.random.default_rng(1).normal(size=(5, 37)).astype(np.float32)
    with torch.no_grad():
        expected = model(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(run(export(model), x), expected, atol=1e-5, rtol=1.3e-6)
