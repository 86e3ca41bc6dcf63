from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence

from signloom.core.bayesian import (
    BayesianLinear,
    bayesian_layers,
    sample_weights,
    weight_divergence,
)
from signloom.core.lwta import LocalCompetition


def layer(spread: float = 0.3) -> BayesianLinear:
    """Give a layer whose spreads differ."""
    torch.manual_seed(0)
    made = BayesianLinear(7, 5, initial_spread=spread)
    with torch.no_grad():
        made.raw_spread += torch.randn_like(made.raw_spread)
    return made


def model() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(BayesianLinear(7, 8), LocalCompetition(4), BayesianLinear(8, 3))


def test_the_spread_begins_as_it_is_told() -> None:
    made = BayesianLinear(3, 5, initial_spread=0.07)
    torch.testing.assert_close(made.spread, torch.full((5, 3), 0.07))


def test_the_divergence_equals_that_of_torch() -> None:
    made = layer()
    expected = kl_divergence(Normal(made.weight, made.spread), Normal(0.0, 1.0)).sum()
    torch.testing.assert_close(made.divergence(), expected)


def test_the_divergence_of_a_model_is_the_sum_of_its_layers() -> None:
    whole = model()
    first, _, second = whole
    torch.testing.assert_close(weight_divergence(whole), first.divergence() + second.divergence())
    assert list(bayesian_layers(whole)) == ["0", "2"]
    assert weight_divergence(nn.Linear(3, 5)) == 0


def test_training_draws_weights_of_the_posterior() -> None:
    """The identity as input gives the weights of a draw."""
    made, draws = layer().train(), 601
    eye = torch.eye(7)
    torch.manual_seed(3)
    with torch.no_grad():
        drawn = torch.stack([made(eye).T - made.bias[:, None] for _ in range(draws)])
        spread, mean = made.spread, made.weight
        off = (drawn.mean(0) - mean).abs() / (spread / draws**0.5)
        wide = (drawn.var(0) / spread**2 - 1).abs() / (2 / draws) ** 0.5
    assert off.max() < 4
    assert wide.max() < 4
    chance = (drawn[:, 0, 0] - mean[0, 0]) * (drawn[:, 1, 2] - mean[1, 2])
    assert abs(chance.mean() / (spread[0, 0] * spread[1, 2])) < 4 / draws**0.5


def test_evaluation_takes_the_means() -> None:
    made, x = layer().eval(), torch.randn(3, 11, 7)
    torch.testing.assert_close(made(x), nn.functional.linear(x, made.weight, made.bias))


def test_both_means_and_spreads_learn() -> None:
    made = layer().train()
    made(torch.randn(3, 7)).square().sum().backward()
    for parameter in (made.weight, made.raw_spread, made.bias):
        assert parameter.grad is not None
        assert (parameter.grad != 0).all()


def test_the_same_numbers_draw_the_same_model() -> None:
    whole = model()
    kept = {name: value.clone() for name, value in whole.state_dict().items()}
    first, again = (sample_weights(whole, seed=5, sample=1) for _ in range(2))
    for name, value in first.state_dict().items():
        assert torch.equal(value, again.state_dict()[name])
        assert torch.equal(whole.state_dict()[name], kept[name])
    assert not first.training
    assert whole.training


@pytest.mark.parametrize("changed", [{"seed": 6}, {"sample": 0}])
def test_other_numbers_draw_another_model(changed: dict[str, int]) -> None:
    whole, key = model(), {"seed": 5, "sample": 1}
    first, other = sample_weights(whole, **key), sample_weights(whole, **key | changed)
    for name, drawn in bayesian_layers(first).items():
        assert not torch.isclose(drawn.weight, bayesian_layers(other)[name].weight).any()
        mean = bayesian_layers(whole)[name]
        apart = (drawn.weight - mean.weight) / mean.spread
        assert 0.5 < apart.square().mean() < 2
        assert torch.equal(drawn.bias, mean.bias)


def test_a_model_can_be_sampled_right_after_a_training_step() -> None:
    whole = model().train()
    whole(torch.randn(2, 3, 7)).sum().backward()
    drawn = sample_weights(whole, seed=0, sample=0)
    assert drawn[1].divergence is None
    assert whole[1].divergence is not None
