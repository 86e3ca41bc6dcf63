from __future__ import annotations

import pytest
import torch
from torch import nn

from signloom.core.bayesian import BayesianLinear
from signloom.core.dense import Dense
from signloom.core.feedforward import FeedForward


def test_by_default_it_equals_the_network_of_torch() -> None:
    torch.manual_seed(0)
    ours = FeedForward(6, 11).eval()
    theirs = nn.Sequential(nn.Linear(6, 11), nn.ReLU(), nn.Dropout(0.0), nn.Linear(11, 6)).eval()
    theirs.load_state_dict(ours.state_dict())
    x = torch.randn(3, 7, 6)
    torch.testing.assert_close(ours(x), theirs(x), rtol=0, atol=0)


@pytest.mark.parametrize("weights", ["point", "bayesian"])
def test_competing_units_are_the_formula(weights: str) -> None:
    torch.manual_seed(0)
    dense = Dense(units="lwta", weights=weights, block=4)
    ours = FeedForward(6, 12, dense=dense).eval()
    first, _, _, second = ours
    x, noise = torch.randn(3, 7, 6), torch.randn(3, 7, 12)
    hidden = nn.functional.linear(x, first.weight, first.bias)
    expected = torch.zeros_like(hidden)
    for block in range(0, 12, 4):
        units = hidden[..., block : block + 4]
        winner = (units + noise[..., block : block + 4]).argmax(-1, keepdim=True)
        spoken = expected[..., block : block + 4]
        spoken.scatter_(-1, winner, units.gather(-1, winner))
    torch.testing.assert_close(
        ours(x, noise), nn.functional.linear(expected, second.weight, second.bias)
    )


@pytest.mark.parametrize("units", ["relu", "lwta"])
@pytest.mark.parametrize("weights", ["point", "bayesian"])
def test_chance_is_in_training_alone(units: str, weights: str) -> None:
    torch.manual_seed(0)
    network = FeedForward(6, 12, dense=Dense(units=units, weights=weights, initial_spread=0.2))
    x = torch.randn(3, 7, 6)
    assert torch.equal(network.eval()(x), network.eval()(x))
    stochastic = units == "lwta" or weights == "bayesian"
    assert torch.equal(network.train()(x), network.train()(x)) == (not stochastic)
    assert sum(isinstance(layer, BayesianLinear) for layer in network) == 2 * (
        weights == "bayesian"
    )
