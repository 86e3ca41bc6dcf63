"""STAMF's spatial module: keypoints and pictures, each to one vector a frame (STAMF § 3.2).

Keypoints are 27 of the 133 of COCO-WholeBody: nose, shoulders, elbows, wrists, and of each hand
wrist, tip of the thumb, base and tip of the fingers (the paper says neck, its published ids give
the nose). They are scaled to -1 … 1 in each clip; what was not seen is 0. The paper's ResNet takes
them for a picture of 27 × C; a linear layer is lighter.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, UInt8
from torch import Tensor, nn

from signloom.core.resnet import ResNet
from signloom.poses.skeleton import (
    HEAD,
    LEFT_ELBOW,
    LEFT_HAND,
    LEFT_SHOULDER,
    LEFT_WRIST,
    RIGHT_ELBOW,
    RIGHT_HAND,
    RIGHT_SHOULDER,
    RIGHT_WRIST,
    UPPER_BODY_50,
)
from signloom.systems.recognize.config import Points, RecognizeConfig

PICTURE_MEAN = (0.485, 0.456, 0.406)
PICTURE_STD = (0.229, 0.224, 0.225)
"""Of ImageNet, as published weights want them."""
_HAND_POINTS = (0, 4, 5, 8, 9, 12, 13, 16, 17, 20)
"""Wrist, tip of the thumb, base and tip of the fingers, counted from the hand's first joint."""


def _stamf_points() -> tuple[int, ...]:
    body = (HEAD, LEFT_SHOULDER, RIGHT_SHOULDER, LEFT_ELBOW, RIGHT_ELBOW, LEFT_WRIST, RIGHT_WRIST)
    hands = (hand.start + point for hand in (LEFT_HAND, RIGHT_HAND) for point in _HAND_POINTS)
    return (*body, *hands)


POINTS: dict[Points, tuple[int, ...]] = {
    "stamf": _stamf_points(),
    "all": tuple(range(UPPER_BODY_50.num_joints)),
    "tracks": (HEAD, LEFT_WRIST, RIGHT_WRIST),
}
"""Joints of the 50 that a model reads, in the order in which it reads them."""


class KeypointSource(nn.Module):
    """Poses to a vector a frame.

    Args:
        config: Which joints, how they are scaled and embedded.
        mean: Mean of each of the 150 features over the training data.
        std: Their standard deviation, floored.

    Attributes:
        dim: Size of the vectors.
    """

    mean: Tensor
    std: Tensor
    points: Tensor

    def __init__(
        self,
        config: RecognizeConfig,
        *,
        mean: Float[Tensor, "features"],
        std: Float[Tensor, "features"],
    ) -> None:
        super().__init__()
        self.axes, self.scale = config.axes, config.scale
        points = POINTS[config.points]
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())
        self.register_buffer("points", torch.tensor(points), persistent=False)
        if config.embedding == "cnn":
            self.layer: nn.Module = ResNet(
                config.keypoint_depth, width=config.keypoint_width, in_channels=1
            )
            self.dim = self.layer.dim
        else:
            self.dim = config.embedding_dim
            self.layer = nn.Sequential(
                nn.Linear(len(points) * config.axes, self.dim), nn.LayerNorm(self.dim), nn.ReLU()
            )

    def forward(
        self,
        poses: Float[Tensor, "batch frames features"],
        confidence: Float[Tensor, "batch frames joints"],
        present: Bool[Tensor, "batch frames"],
    ) -> Float[Tensor, "batch frames dim"]:
        """Embed each frame.

        Args:
            poses: Features of `poses.normalize`.
            confidence: 0 where a joint was not seen.
            present: Which frames are real.
        """
        seen = (confidence[..., self.points] > 0) & present[..., None]
        x = self._standardised(poses) if self.scale == "shoulders" else _scaled(poses, self, seen)
        x = x * seen[..., None]
        if isinstance(self.layer, ResNet):
            return _each_frame(self.layer, x[:, :, None], present)
        embedded: Tensor = self.layer(x.flatten(2))
        return embedded

    def chosen(
        self, joints: Float[Tensor, "batch frames joints 3"]
    ) -> Float[Tensor, "batch frames points axes"]:
        """Take the joints and axes that are read."""
        return joints[:, :, self.points, : self.axes]

    def _standardised(
        self, poses: Float[Tensor, "batch frames features"]
    ) -> Float[Tensor, "batch frames points axes"]:
        return self.chosen(_joints((poses - self.mean) / self.std))


class PictureSource(nn.Module):
    """Pictures to a vector a frame, by a ResNet.

    Attributes:
        dim: Size of the vectors.
    """

    mean: Tensor
    std: Tensor

    def __init__(self, config: RecognizeConfig) -> None:
        super().__init__()
        self.network = ResNet(config.picture_depth, width=config.picture_width)
        self.dim = self.network.dim
        self.register_buffer("mean", 255 * torch.tensor(PICTURE_MEAN), persistent=False)
        self.register_buffer("std", 255 * torch.tensor(PICTURE_STD), persistent=False)

    def forward(
        self,
        pictures: UInt8[Tensor, "batch frames height width 3"],
        present: Bool[Tensor, "batch frames"],
    ) -> Float[Tensor, "batch frames dim"]:
        """Embed each frame."""
        x = ((pictures.float() - self.mean) / self.std).movedim(-1, 2)
        return _each_frame(self.network, x, present)


def _scaled(
    poses: Float[Tensor, "batch frames features"],
    source: KeypointSource,
    seen: Bool[Tensor, "batch frames points"],
) -> Float[Tensor, "batch frames points axes"]:
    """Put hands on their wrists and scale every axis of a clip to -1 … 1."""
    joints = _joints(poses)
    body = joints[:, :, : RIGHT_HAND.start]
    right = joints[:, :, RIGHT_HAND] + joints[:, :, RIGHT_WRIST : RIGHT_WRIST + 1]
    left = joints[:, :, LEFT_HAND] + joints[:, :, LEFT_WRIST : LEFT_WRIST + 1]
    x = source.chosen(torch.cat([body, right, left], dim=2))
    least = x.masked_fill(~seen[..., None], torch.inf).amin(dim=(1, 2), keepdim=True)
    most = x.masked_fill(~seen[..., None], -torch.inf).amax(dim=(1, 2), keepdim=True)
    any_seen = seen.any(dim=2).any(dim=1)[:, None, None, None]
    least, most = (torch.where(any_seen, one, 0.0) for one in (least, most))
    return 2 * (x - least) / (most - least).clamp(min=1e-3) - 1


def _joints(
    features: Float[Tensor, "batch frames features"],
) -> Float[Tensor, "batch frames joints 3"]:
    return features.reshape(*features.shape[:-1], -1, 3)


def _each_frame(
    network: nn.Module,
    frames: Float[Tensor, "batch frames channels height width"],
    present: Bool[Tensor, "batch frames"],
) -> Float[Tensor, "batch frames dim"]:
    """Run a network over frames; in training over real ones alone, for its statistics' sake."""
    if not network.training:
        return network(frames.flatten(0, 1)).unflatten(0, frames.shape[:2])
    found = network(frames[present])
    out = found.new_zeros(*present.shape, found.shape[-1])
    out[present] = found
    return out
