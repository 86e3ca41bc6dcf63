"""ResNet-18, -34 and -50 over frames: the 2D network of STAMF's spatial module.

He et al. 2016, in the form that torchvision and timm publish weights for: a 7 × 7 convolution and a
max-pool, four stages of blocks that halve the picture from the second on, then the mean over the
picture. The parameters have the names of those weights (`conv1`, `layer1.0.bn1` …), so that
`core.backbone.load_backbone` can take them; the classifier is left out.
"""

from __future__ import annotations

from typing import Literal

from jaxtyping import Float
from torch import Tensor, nn

Depth = Literal[18, 34, 50]
_BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3)}
_STAGES = 4


class ResNet(nn.Module):
    """Frames in, one vector for each out.

    Args:
        depth: Number of layers: 18, 34 or 50.
        width: Channels of the first stage; 64 as published.
        in_channels: 3 for pictures, 1 for a matrix of keypoints.

    Attributes:
        dim: Size of the vectors: 8 × width, with depth 50 four times that (2048 as published).
    """

    def __init__(self, depth: Depth = 18, *, width: int = 64, in_channels: int = 3) -> None:
        super().__init__()
        block = _Bottleneck if depth == 50 else _Basic
        self.conv1 = nn.Conv2d(in_channels, width, 7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, stride=2, padding=1)
        channels = width
        for stage, count in enumerate(_BLOCKS[depth]):
            inner, blocks = width * 2**stage, []
            for number in range(count):
                stride = 2 if stage > 0 and number == 0 else 1
                blocks.append(block(channels, inner, stride=stride))
                channels = inner * block.expansion
            setattr(self, f"layer{stage + 1}", nn.Sequential(*blocks))
        self.dim = channels
        _initialise(self)

    def forward(
        self, pictures: Float[Tensor, "frames channels height width"]
    ) -> Float[Tensor, "frames dim"]:
        """Give a vector for each frame.

        Args:
            pictures: Standardised by the mean and spread that the weights were trained with.
        """
        x = self.maxpool(self.relu(self.bn1(self.conv1(pictures))))
        for stage in range(_STAGES):
            x = getattr(self, f"layer{stage + 1}")(x)
        return x.mean(dim=(2, 3))


class _Basic(nn.Module):
    """Two 3 × 3 convolutions and a shortcut."""

    expansion = 1

    def __init__(self, channels: int, inner: int, *, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, inner, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(inner)
        self.conv2 = nn.Conv2d(inner, inner, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(inner)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = _shortcut(channels, inner, stride=stride)

    def forward(
        self, x: Float[Tensor, "frames channels height width"]
    ) -> Float[Tensor, "frames inner lower narrower"]:
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return self.relu(y + (x if self.downsample is None else self.downsample(x)))


class _Bottleneck(nn.Module):
    """1 × 1, 3 × 3 (with the stride) and 1 × 1 convolutions, and a shortcut."""

    expansion = 4

    def __init__(self, channels: int, inner: int, *, stride: int) -> None:
        super().__init__()
        outer = inner * self.expansion
        self.conv1 = nn.Conv2d(channels, inner, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(inner)
        self.conv2 = nn.Conv2d(inner, inner, 3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(inner)
        self.conv3 = nn.Conv2d(inner, outer, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(outer)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = _shortcut(channels, outer, stride=stride)

    def forward(
        self, x: Float[Tensor, "frames channels height width"]
    ) -> Float[Tensor, "frames outer lower narrower"]:
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        return self.relu(y + (x if self.downsample is None else self.downsample(x)))


def _shortcut(channels: int, outer: int, *, stride: int) -> nn.Module | None:
    """Fit the shortcut to its block where size or channels change."""
    if stride == 1 and channels == outer:
        return None
    return nn.Sequential(
        nn.Conv2d(channels, outer, 1, stride=stride, bias=False), nn.BatchNorm2d(outer)
    )


def _initialise(network: ResNet) -> None:
    """Begin each block as its shortcut alone, which trains from scratch more steadily."""
    for layer in network.modules():
        if isinstance(layer, nn.Conv2d):
            nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")
    for layer in network.modules():
        last = getattr(layer, "bn3", getattr(layer, "bn2", None))
        if isinstance(last, nn.BatchNorm2d):
            nn.init.zeros_(last.weight)
