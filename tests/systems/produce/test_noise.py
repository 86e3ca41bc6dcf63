"""Noise follows the spread of the model's own errors."""

from __future__ import annotations

import pytest
import torch

from signloom.systems.produce.noise import MOMENTUM, ErrorNoise

LENGTHS = torch.tensor([7, 3])


def test_there_is_none_before_an_error_is_seen() -> None:
    frames = torch.randn(2, 7, 5)
    torch.testing.assert_close(ErrorNoise(5, factor=5.0)(frames), frames)


def test_the_spread_is_that_of_the_running_moments_without_padding() -> None:
    noise, mean, square = ErrorNoise(5, factor=5.0), torch.zeros(5), torch.zeros(5)
    for seed in range(4):
        generator = torch.Generator().manual_seed(seed)
        predicted, true = torch.randn(2, 2, 7, 5, generator=generator) + 1
        predicted[1, 3:] = 1e4
        noise.watch(predicted, true, LENGTHS)
        errors = torch.cat([(predicted - true)[0], (predicted - true)[1, :3]])
        mean = (1 - MOMENTUM) * mean + MOMENTUM * errors.mean(0)
        square = (1 - MOMENTUM) * square + MOMENTUM * (errors**2).mean(0)
    torch.testing.assert_close(noise.std, (square - mean**2).sqrt())


@pytest.mark.parametrize("factor", [2.0, 5.0])
def test_each_coordinate_gets_the_factor_of_its_own_spread(factor: float) -> None:
    torch.manual_seed(0)
    noise, spread = ErrorNoise(3, factor=factor), torch.tensor([0.1, 0.5, 2.0])
    for _ in range(1500):
        noise.watch(torch.randn(1, 20, 3) * spread, torch.zeros(1, 20, 3), torch.tensor([20]))
    given = noise(torch.zeros(1, 20_000, 3))[0]
    torch.testing.assert_close(given.std(0) / factor, spread, rtol=0.05, atol=0)


def test_the_estimate_travels_with_the_weights() -> None:
    noise = ErrorNoise(3, factor=5.0)
    noise.watch(torch.randn(2, 7, 3), torch.zeros(2, 7, 3), LENGTHS)
    other = ErrorNoise(3, factor=5.0)
    other.load_state_dict(noise.state_dict())
    torch.testing.assert_close(other.std, noise.std)
