"""Optional losses on how a pose moves and holds together, beside its positions; one value a row.

    velocity   mean square error of the first differences
    edge       mean square error of the second differences that lie across the border of a block,
               where frames of different passes meet and nothing else ties them
    bone       mean square deviation of each bone's share of all bones from the reference's

They see standardised features; the bones need positions and so the statistics.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from signloom.losses.pose import weighted_square
from signloom.poses.skeleton import (
    LEFT_HAND,
    LEFT_WRIST,
    RIGHT_HAND,
    RIGHT_WRIST,
    UPPER_BODY_50,
)

MIN_SHARE = 1e-3
"""A bone of less than this share of all bones is missing in the reference and counts nothing."""


def velocity_loss(
    predicted: Float[Tensor, "batch frames features"],
    true: Float[Tensor, "batch frames features"],
    lengths: Int[Tensor, "batch"],
    *,
    weights: Float[Tensor, "features"],
) -> Float[Tensor, "batch"]:
    """Give the weighted mean square error of the velocities; padding counts nothing.

    Args:
        predicted: Standardised frames.
        true: What they should be.
        lengths: Frames of each row; a row of one frame has no velocity and gives 0.
        weights: Weight of each coordinate; their scale does not matter.
    """
    error = weighted_square(torch.diff(predicted - true, dim=1), weights)
    last = torch.arange(1, true.shape[1], device=true.device)
    return _mean(error, last < lengths[:, None])


def edge_loss(
    predicted: Float[Tensor, "batch frames features"],
    true: Float[Tensor, "batch frames features"],
    lengths: Int[Tensor, "batch"],
    *,
    borders: Int[Tensor, "borders"],
    weights: Float[Tensor, "features"],
) -> Float[Tensor, "batch"]:
    """Give the weighted mean square error of the accelerations across block borders.

    Args:
        predicted: Standardised frames.
        true: What they should be.
        lengths: Frames of each row; a row without a border inside gives 0.
        borders: First frame of each block but the first.
        weights: Weight of each coordinate; their scale does not matter.
    """
    error = weighted_square(torch.diff(predicted - true, n=2, dim=1), weights)
    first = torch.arange(error.shape[1], device=true.device)
    # Of the frames `t`, `t + 1` and `t + 2` one must lie before a border and one behind it.
    across = torch.isin(first + 1, borders) | torch.isin(first + 2, borders)
    return _mean(error, across & (first + 2 < lengths[:, None]))


def bone_loss(
    predicted: Float[Tensor, "batch frames features"],
    true: Float[Tensor, "batch frames features"],
    lengths: Int[Tensor, "batch"],
    *,
    mean: Float[Tensor, "features"],
    std: Float[Tensor, "features"],
) -> Float[Tensor, "batch"]:
    """Give the mean square relative deviation of the bones' shares from the reference's mean.

    A signer's bone ratios are constant within a sequence, while a recording's scale may vary from
    frame to frame; so each bone is taken as a share of all bones of its frame.

    Args:
        predicted: Standardised frames.
        true: What they should be.
        lengths: Frames of each row.
        mean: Mean of each feature, shoulder widths.
        std: Spread of each feature, shoulder widths.
    """
    inside = torch.arange(true.shape[1], device=true.device) < lengths[:, None]
    reference = (bone_shares(true, mean=mean, std=std) * inside[..., None]).sum(1)
    reference = (reference / lengths[:, None])[:, None]
    there = reference >= MIN_SHARE
    shares = bone_shares(predicted, mean=mean, std=std)
    deviation = (shares / reference.clamp(min=MIN_SHARE) - 1) ** 2 * there
    return _mean(deviation.sum(-1) / there.sum(-1).clamp(min=1), inside)


def bone_shares(
    features: Float[Tensor, "batch frames features"],
    *,
    mean: Float[Tensor, "features"],
    std: Float[Tensor, "features"],
) -> Float[Tensor, "batch frames bones"]:
    """Give each bone's length as a share of the sum of all bones of its frame."""
    joints = features * std + mean
    joints = joints.reshape(*joints.shape[:-1], UPPER_BODY_50.num_joints, 3)
    # `poses.normalize` takes hands relative to their wrists; undone in tensors, gradients pass.
    wrists = torch.zeros_like(joints)
    wrists[..., RIGHT_HAND, :] = joints[..., RIGHT_WRIST : RIGHT_WRIST + 1, :]
    wrists[..., LEFT_HAND, :] = joints[..., LEFT_WRIST : LEFT_WRIST + 1, :]
    joints = joints + wrists
    parents, children = (list(ends) for ends in zip(*UPPER_BODY_50.bones, strict=True))
    bones = torch.linalg.vector_norm(joints[..., children, :] - joints[..., parents, :], dim=-1)
    return bones / bones.sum(-1, keepdim=True)


def _mean(
    error: Float[Tensor, "batch steps"], counted: Bool[Tensor, "batch steps"]
) -> Float[Tensor, "batch"]:
    return (error * counted).sum(1) / counted.sum(1).clamp(min=1)
