"""Losses that hold a recogniser's visual features to what the whole model reads.

    distillation  T² KL(softmax(main / T) ‖ softmax(visual / T)),   the main logits not followed
    frames        − log p(token of the step), where it is known when each token is signed

The first is the visual alignment loss of VAC (Min et al. 2021, eq. 5), which goes with a CTC loss
on the visual logits (visual enhancement); the second needs spans, which few corpora have.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional

UNKNOWN_STEP = -1
"""Label of a step of which nobody knows what is signed in it."""


def distillation_loss(
    visual: Float[Tensor, "batch steps tokens"],
    main: Float[Tensor, "batch steps tokens"],
    present: Bool[Tensor, "batch steps"],
    *,
    temperature: float = 8.0,
) -> Float[Tensor, ""]:
    """Give the divergence of the visual logits from the main ones, a mean over real steps."""
    taught = (visual / temperature).log_softmax(-1)
    teaching = (main.detach() / temperature).log_softmax(-1)
    rows = functional.kl_div(taught, teaching, reduction="none", log_target=True).sum(-1)
    return temperature**2 * (rows * present).sum() / present.sum()


def step_loss(
    log_probs: Float[Tensor, "batch steps tokens"], labels: Int[Tensor, "batch steps"]
) -> Float[Tensor, ""]:
    """Give the cross-entropy of the steps whose label is known; 0 where none is.

    Args:
        log_probs: Log-probabilities.
        labels: Token of each step, 0 between two, -1 where it is not known or is padding.
    """
    known = (labels != UNKNOWN_STEP).sum().clamp(min=1)
    total = functional.nll_loss(
        log_probs.flatten(0, 1), labels.flatten(), ignore_index=UNKNOWN_STEP, reduction="sum"
    )
    return total / known


def step_labels(frames: Int[Tensor, "batch frames"], *, stride: int) -> Int[Tensor, "batch steps"]:
    """Take the label of the middle frame of each step; of a last one without a middle, none.

    Example:
        >>> step_labels(torch.tensor([[0, 0, 5, 5, 5]]), stride=2).tolist()
        [[0, 5, -1]]
    """
    starts = torch.arange(0, frames.shape[1], stride, device=frames.device)
    padded = functional.pad(frames, (0, stride), value=UNKNOWN_STEP)
    return padded[:, starts + stride // 2]
