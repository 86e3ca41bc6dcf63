"""Losses on pose sequences and on their lengths (PSAT-RS § 3.3), one value a sequence."""

from __future__ import annotations

from jaxtyping import Float, Int
from torch import Tensor, arange
from torch.nn import functional


def pose_loss(
    predicted: Float[Tensor, "batch frames features"],
    true: Float[Tensor, "batch frames features"],
    lengths: Int[Tensor, "batch"],
    *,
    weights: Float[Tensor, "features"],
) -> Float[Tensor, "batch"]:
    """Give the weighted mean square error of each sequence; padding counts nothing.

    Args:
        predicted: Standardised frames.
        true: What they should be.
        lengths: Frames of each row.
        weights: Weight of each coordinate; their scale does not matter.
    """
    inside = arange(true.shape[1], device=true.device) < lengths[:, None]
    return (weighted_square(predicted - true, weights) * inside).sum(1) / lengths


def weighted_square(
    difference: Float[Tensor, "batch steps features"], weights: Float[Tensor, "features"]
) -> Float[Tensor, "batch steps"]:
    """Give the weighted mean square over the coordinates of each step."""
    return (difference**2 * weights).sum(-1) / weights.sum()


def length_loss(
    logits: Float[Tensor, "batch max_frames"], lengths: Int[Tensor, "batch"]
) -> Float[Tensor, "batch"]:
    """Give the cross-entropy of each length; class `i` stands for `i + 1` frames."""
    return functional.cross_entropy(logits, lengths - 1, reduction="none")
