"""Each loss is what a naive loop over rows, frames and bones gives; padding counts nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from signloom.losses.motion import bone_loss, edge_loss, velocity_loss
from signloom.poses.normalize import Standardiser, from_features
from signloom.poses.skeleton import UPPER_BODY_50

LENGTHS = torch.tensor([11, 7, 1])
BORDERS = torch.tensor([4, 7])
FRAMES = np.random.default_rng(0).normal(size=(2, 3, 11, 150)).astype(np.float32)
WEIGHTS = np.random.default_rng(1).uniform(0.5, 2, size=150).astype(np.float32)
STATISTICS = Standardiser(
    np.random.default_rng(2).normal(size=150).astype(np.float32),
    np.random.default_rng(3).uniform(0.1, 1, size=150).astype(np.float32),
)


def naive_velocity(predicted: np.ndarray, true: np.ndarray) -> list[float]:
    each = []
    for row, length in enumerate(LENGTHS.tolist()):
        errors = [
            WEIGHTS
            @ ((predicted[row, t] - predicted[row, t - 1]) - (true[row, t] - true[row, t - 1])) ** 2
            for t in range(1, length)
        ]
        each.append(sum(errors) / WEIGHTS.sum() / max(1, len(errors)))
    return each


def naive_edge(predicted: np.ndarray, true: np.ndarray) -> list[float]:
    each = []
    for row, length in enumerate(LENGTHS.tolist()):
        errors = []
        for t in range(1, length - 1):
            if t in (3, 4, 6, 7):  # the frame before a border, and the one behind it
                made, should = (
                    x[row, t + 1] - 2 * x[row, t] + x[row, t - 1] for x in (predicted, true)
                )
                errors.append(WEIGHTS @ (made - should) ** 2 / WEIGHTS.sum())
        each.append(sum(errors) / max(1, len(errors)))
    return each


def naive_bone(predicted: np.ndarray, true: np.ndarray) -> list[float]:
    def shares(features: np.ndarray) -> np.ndarray:
        joints = from_features(STATISTICS.invert(features)).astype(np.float64)
        bones = np.array([np.linalg.norm(joints[b] - joints[a]) for a, b in UPPER_BODY_50.bones])
        return bones / bones.sum()

    each = []
    for row, length in enumerate(LENGTHS.tolist()):
        reference = np.mean([shares(true[row, t]) for t in range(length)], axis=0)
        made = [(shares(predicted[row, t]) / reference - 1) ** 2 for t in range(length)]
        each.append(float(np.mean(made)))
    return each


def velocity(predicted: Tensor, true: Tensor) -> Tensor:
    return velocity_loss(predicted, true, LENGTHS, weights=torch.from_numpy(WEIGHTS))


def edge(predicted: Tensor, true: Tensor) -> Tensor:
    weights = torch.from_numpy(WEIGHTS)
    return edge_loss(predicted, true, LENGTHS, borders=BORDERS, weights=weights)


def bone(predicted: Tensor, true: Tensor) -> Tensor:
    mean, std = torch.from_numpy(STATISTICS.mean), torch.from_numpy(STATISTICS.std)
    return bone_loss(predicted, true, LENGTHS, mean=mean, std=std)


LOSSES = {"velocity": velocity, "edge": edge, "bone": bone}
NAIVE = {"velocity": naive_velocity, "edge": naive_edge, "bone": naive_bone}


@pytest.fixture(params=[*LOSSES])
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def loss(name: str) -> Callable[[Tensor, Tensor], Tensor]:
    return LOSSES[name]


def test_it_equals_a_naive_loop(name: str, loss: Callable[[Tensor, Tensor], Tensor]) -> None:
    given = loss(*torch.from_numpy(FRAMES))
    np.testing.assert_allclose(given, NAIVE[name](*FRAMES), atol=1e-5, rtol=1e-5)
    assert (given[:2] > 0.01).all()


def test_padding_counts_nothing(loss: Callable[[Tensor, Tensor], Tensor]) -> None:
    predicted, true = torch.from_numpy(FRAMES.copy())
    before = loss(predicted, true)
    predicted[1, 7:] = 1e4
    true[2, 1:] = -1e4
    torch.testing.assert_close(loss(predicted, true), before)


def test_gradients_pass_to_every_coordinate_and_are_finite(
    loss: Callable[[Tensor, Tensor], Tensor],
) -> None:
    predicted, true = torch.from_numpy(FRAMES.copy())
    predicted.requires_grad_()
    loss(predicted, true)[0].backward()
    assert predicted.grad is not None
    assert torch.isfinite(predicted.grad).all()
    assert (predicted.grad[0, 3:8].abs().sum(0) > 0).all()


def test_a_frame_that_is_scaled_as_a_whole_keeps_its_bone_ratios() -> None:
    zero, one = torch.zeros(150), torch.ones(150)
    true = torch.from_numpy(FRAMES[0, :, :1]).expand(-1, 11, -1)
    scales = torch.linspace(0.97, 1.03, 11)[:, None]
    scaled = bone_loss(true * scales, true, LENGTHS, mean=zero, std=one)
    torch.testing.assert_close(scaled, torch.zeros(3), atol=1e-9, rtol=0)


def test_bones_that_the_reference_lacks_count_nothing() -> None:
    zero, one = torch.zeros(150), torch.ones(150)
    predicted, true = torch.from_numpy(FRAMES.copy())
    true[..., 30 * 3 :] = 0
    assert (bone_loss(predicted, true, LENGTHS, mean=zero, std=one) < 100).all()
