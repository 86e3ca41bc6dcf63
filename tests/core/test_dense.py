from __future__ import annotations

import pytest
import torch
from torch import nn

from signloom.core.bayesian import BayesianLinear
from signloom.core.dense import RELU, Dense
from signloom.core.lwta import LocalCompetition


def test_by_default_layers_are_those_of_a_conventional_transformer() -> None:
    assert Dense() == RELU
    torch.manual_seed(0)
    ours = RELU.linear(7, 5)
    torch.manual_seed(0)
    theirs = nn.Linear(7, 5)
    assert type(ours) is nn.Linear
    assert torch.equal(ours.weight, theirs.weight)
    assert isinstance(RELU.activation(), nn.ReLU)
    assert RELU.noisy_units(11) == 0


@pytest.mark.parametrize("units", ["relu", "lwta"])
@pytest.mark.parametrize("weights", ["point", "bayesian"])
def test_units_and_weights_are_chosen_apart(units: str, weights: str) -> None:
    dense = Dense(units=units, weights=weights, block=3, temperature=0.7, initial_spread=0.11)
    linear, activation = dense.linear(7, 9), dense.activation()
    assert isinstance(linear, BayesianLinear) == (weights == "bayesian")
    assert isinstance(activation, LocalCompetition) == (units == "lwta")
    assert dense.noisy_units(9) == (9 if units == "lwta" else 0)
    if isinstance(linear, BayesianLinear):
        torch.testing.assert_close(linear.spread, torch.full((9, 7), 0.11))
    if isinstance(activation, LocalCompetition):
        assert (activation.units, activation.temperature) == (3, 0.7)
