"""What dense layers are made of: ReLU or competing units, point or Gaussian weights.

One value, handed down to every layer, makes the conventional transformer and the stochastic one
the same code (LWTA transformer, table 2 and its baseline).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from torch import Tensor, nn

from signloom.core.bayesian import INITIAL_SPREAD, BayesianLinear
from signloom.core.lwta import TEMPERATURE, LocalCompetition


@dataclass(frozen=True, kw_only=True)
class Dense:
    """How dense layers are built.

    Attributes:
        units: `relu`, `silu`, or `lwta`: linear units that compete in blocks.
        weights: `point`, or `bayesian`: Gaussian posteriors.
        block: Units of a competing block, U.
        temperature: Of the Gumbel-softmax in training.
        initial_spread: σ of Gaussian weights at the start.
    """

    units: Literal["relu", "silu", "lwta"] = "relu"
    weights: Literal["point", "bayesian"] = "point"
    block: int = 4
    temperature: float = TEMPERATURE
    initial_spread: float = INITIAL_SPREAD

    def linear(self, in_features: int, out_features: int) -> nn.Linear:
        """Make a linear layer."""
        if self.weights == "bayesian":
            return BayesianLinear(in_features, out_features, initial_spread=self.initial_spread)
        return nn.Linear(in_features, out_features)

    def activation(self) -> nn.Module:
        """Make what follows the linear units of a hidden layer."""
        if self.units == "lwta":
            return LocalCompetition(self.block, temperature=self.temperature)
        return nn.SiLU() if self.units == "silu" else nn.ReLU()

    @staticmethod
    def activate(activation: nn.Module, linear: Tensor, noise: Tensor | None) -> Tensor:
        """Run what `activation` made; only competing units take the noise."""
        if isinstance(activation, LocalCompetition):
            return activation(linear, noise)
        return activation(linear)

    def noisy_units(self, width: int) -> int:
        """Count the units of a hidden layer that want Gumbel noise in evaluation."""
        return width if self.units == "lwta" else 0


RELU = Dense()
SILU = Dense(units="silu")
