"""Connectionist temporal classification over padded batches; id 0 is both padding and blank."""

from __future__ import annotations

from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional


def ctc_loss(
    log_probs: Float[Tensor, "batch steps tokens"],
    lengths: Int[Tensor, "batch"],
    targets: Int[Tensor, "batch labels"],
) -> Float[Tensor, "batch"]:
    """Give minus the log-likelihood of each row's labels.

    Args:
        log_probs: Log-probabilities of each step.
        lengths: Steps of each row; with fewer than `steps_needed` the loss is infinite.
        targets: Label ids, padded with 0.
    """
    counts = (targets != 0).sum(1)
    steps_first = log_probs.transpose(0, 1)
    return functional.ctc_loss(steps_first, targets, lengths, counts, blank=0, reduction="none")


def steps_needed(targets: Int[Tensor, "batch labels"]) -> Int[Tensor, "batch"]:
    """Count the steps below which CTC has no path: the labels, and a blank between equal ones.

    Example:
        >>> import torch
        >>> steps_needed(torch.tensor([[4, 4, 5, 0], [4, 5, 0, 0]])).tolist()
        [4, 2]
    """
    repeats = (targets[:, 1:] == targets[:, :-1]) & (targets[:, 1:] != 0)
    return (targets != 0).sum(1) + repeats.sum(1)
