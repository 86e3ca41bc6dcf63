"""Local winner-takes-all: in each block of linear units one wins and the others are silent.

    [y]_ku = ξ_ku h_ku,   q(ξ_k) = Discrete(softmax_u(h_k1 … h_kU))       (LWTA eq. 4–5)
    training    ξ by Gumbel-softmax at T = 1.69
    evaluation  ξ = one-hot(argmax_u(h_ku + g_ku)), g Gumbel noise; without noise the likeliest wins
    KL(q(ξ) ‖ 1/U) = Σ_k Σ_u q_ku (ln q_ku + ln U)

Differs from the paper: at test winners are hard, the limit of its T = 0.01.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

TEMPERATURE = 1.69


class LocalCompetition(nn.Module):
    """Let the units of each block compete.

    Args:
        units: Units of a block, U; divides the width of the layer.
        temperature: Of the Gumbel-softmax in training.
    """

    def __init__(self, units: int = 4, *, temperature: float = TEMPERATURE) -> None:
        super().__init__()
        self.units = units
        self.temperature = temperature
        self.divergence: Tensor | None = None
        """KL of the last training pass, in nats a position [batch, positions]."""

    def forward(
        self,
        linear: Float[Tensor, "batch positions width"],
        noise: Float[Tensor, "batch positions width"] | None = None,
    ) -> Float[Tensor, "batch positions width"]:
        """Silence the losers.

        Args:
            linear: What the units compute.
            noise: Gumbel noise for evaluation; training draws its own.
        """
        blocks = linear.reshape(*linear.shape[:-1], -1, self.units)
        if self.training:
            log_q = blocks.log_softmax(-1)
            self.divergence = winner_divergence(log_q)
            gumbel = torch.empty_like(blocks).exponential_().log_().neg_()
            return (relaxed_winners(log_q, gumbel, self.temperature) * blocks).flatten(-2)
        scores = blocks if noise is None else blocks + noise.reshape(blocks.shape)
        return (blocks * hard_winners(scores)).flatten(-2)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the last pass out of copies: what hangs on a graph cannot be copied."""
        return {**self.__dict__, "divergence": None}


def relaxed_winners(
    log_q: Float[Tensor, "*batch units"], gumbel: Float[Tensor, "*batch units"], temperature: float
) -> Float[Tensor, "*batch units"]:
    """Draw winners by the Gumbel-softmax (Jang et al. 2017, eq. 2)."""
    return ((log_q + gumbel) / temperature).softmax(-1)


def hard_winners(scores: Float[Tensor, "*batch units"]) -> Bool[Tensor, "*batch units"]:
    """Mark the first of the highest scores.

    Example:
        >>> hard_winners(torch.tensor([1.0, 3.0, 3.0])).tolist()
        [False, True, False]
    """
    places = torch.arange(scores.shape[-1], device=scores.device)
    return scores.argmax(-1, keepdim=True) == places


def winner_divergence(
    log_q: Float[Tensor, "*positions blocks units"],
) -> Float[Tensor, "*positions"]:
    """Give KL(q(ξ) ‖ uniform), summed over blocks, in nats, of log-probabilities.

    Example:
        >>> winner_divergence(torch.zeros(2, 3, 4).log_softmax(-1)).tolist()
        [0.0, 0.0]
    """
    log_units = math.log(log_q.shape[-1])
    return (log_q.exp() * (log_q + log_units)).sum((-2, -1)).clamp(min=0)


def shares(
    noise: Float[Tensor, "batch positions units"] | None, layers: int
) -> Sequence[Float[Tensor, "batch positions share"] | None]:
    """Deal noise to equal layers, in their order; without noise each gets none."""
    return [None] * layers if noise is None else noise.chunk(layers, dim=-1)


def competitions(model: nn.Module) -> list[LocalCompetition]:
    """List the competitions of a model, in the order in which noise is dealt to them."""
    return [layer for layer in model.modules() if isinstance(layer, LocalCompetition)]


def last_divergence(model: nn.Module) -> Float[Tensor, "batch positions"] | None:
    """Sum the winners' KL of a model's last training pass; None without competition."""
    found = [one.divergence for one in competitions(model) if one.divergence is not None]
    return torch.stack(found).sum(0) if found else None
