"""A linear layer whose weights are Gaussian: q(w) = N(μ, σ²), prior N(0, 1) (LWTA eq. 6–7).

    training    w = μ + σ ε, one draw a batch (the reparameterisation trick)
    evaluation  w = μ; `sample_weights` draws models whose weights are fixed
    KL          ½ Σ (σ² + μ² − 1 − ln σ²)

Differs from the paper: σ begins at one small number, not by Kaiming's rule, which would drown μ;
and a bias is a point estimate, as are embeddings and normalisation.
"""

from __future__ import annotations

import copy
import math
from typing import TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from signloom.search.chance import weight_noise

INITIAL_SPREAD = 0.025
Module = TypeVar("Module", bound=nn.Module)


class BayesianLinear(nn.Linear):
    """A linear layer with a Gaussian posterior over its weights; `weight` is the mean μ.

    Args:
        in_features: Size of the input.
        out_features: Size of the output.
        bias: Whether a bias is added.
        initial_spread: σ at the start, the same for every weight.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        *,
        initial_spread: float = INITIAL_SPREAD,
    ) -> None:
        super().__init__(in_features, out_features, bias)
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        raw = math.log(math.expm1(initial_spread))
        self.raw_spread = nn.Parameter(torch.full_like(self.weight, raw))

    @property
    def spread(self) -> Float[Tensor, "out in"]:
        """The posterior's standard deviation σ = softplus(ρ)."""
        return functional.softplus(self.raw_spread)

    def divergence(self) -> Float[Tensor, ""]:
        """Give KL(q(w) ‖ N(0, 1)) over all weights, in nats."""
        spread = self.spread
        return 0.5 * (spread**2 + self.weight**2 - 1 - 2 * spread.log()).sum()

    def forward(self, x: Float[Tensor, "*batch in"]) -> Float[Tensor, "*batch out"]:
        """Multiply by drawn weights in training, by their means otherwise."""
        weight = self.weight
        if self.training:
            weight = weight + self.spread * torch.randn_like(weight)
        return functional.linear(x, weight, self.bias)


def bayesian_layers(model: nn.Module) -> dict[str, BayesianLinear]:
    """List the Bayesian layers of a model by name."""
    return {
        name: layer for name, layer in model.named_modules() if isinstance(layer, BayesianLinear)
    }


def weight_divergence(model: nn.Module) -> Float[Tensor, ""]:
    """Sum KL(q(w) ‖ p(w)) over the Bayesian layers of a model, in nats."""
    layers = bayesian_layers(model).values()
    return (
        torch.stack([layer.divergence() for layer in layers]).sum() if layers else torch.zeros(())
    )


def sample_weights(model: Module, *, seed: int, sample: int) -> Module:
    """Copy a model with weights drawn from the posterior, the same ones for the same numbers.

    Args:
        model: Stays as it is.
        seed: Decides all samples.
        sample: Which of them.
    """
    drawn = copy.deepcopy(model).eval()
    with torch.no_grad():
        for name, layer in bayesian_layers(drawn).items():
            shape = tuple(layer.weight.shape)
            noise = weight_noise(f"{name}.weight", shape, seed=seed, sample=sample)
            layer.weight += layer.spread * torch.from_numpy(noise)
    return drawn
