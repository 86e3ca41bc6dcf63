"""ResNets have the layout that torchvision and timm publish weights in, and give what it means."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from signloom.core.resnet import ResNet

WITHOUT_CLASSIFIER = {18: 11_176_512, 34: 21_284_672, 50: 23_508_032}
"""Parameters of torchvision's networks less those of `fc`."""


def published_18() -> dict[str, tuple[int, ...]]:
    """Write down the parameters of torchvision's ResNet-18, in its order."""
    shapes: dict[str, tuple[int, ...]] = {"conv1.weight": (64, 3, 7, 7)}
    shapes |= {"bn1.weight": (64,), "bn1.bias": (64,)}
    for stage, before, inner in ((1, 64, 64), (2, 64, 128), (3, 128, 256), (4, 256, 512)):
        for block in (0, 1):
            name = f"layer{stage}.{block}"
            into = before if block == 0 else inner
            shapes[f"{name}.conv1.weight"] = (inner, into, 3, 3)
            shapes |= {f"{name}.bn1.{kind}": (inner,) for kind in ("weight", "bias")}
            shapes[f"{name}.conv2.weight"] = (inner, inner, 3, 3)
            shapes |= {f"{name}.bn2.{kind}": (inner,) for kind in ("weight", "bias")}
            if stage > 1 and block == 0:
                shapes[f"{name}.downsample.0.weight"] = (inner, into, 1, 1)
                shapes |= {f"{name}.downsample.1.{kind}": (inner,) for kind in ("weight", "bias")}
    return shapes


@pytest.fixture(scope="module", params=[18, 34, 50])
def published(request: pytest.FixtureRequest) -> tuple[int, ResNet]:
    return request.param, ResNet(request.param)


def test_the_parameters_of_depth_18_are_named_and_shaped_as_published() -> None:
    found = {name: tuple(value.shape) for name, value in ResNet(18).named_parameters()}
    assert list(found.items()) == list(published_18().items())


def test_every_depth_has_as_many_parameters_and_statistics_as_published(
    published: tuple[int, ResNet],
) -> None:
    depth, network = published
    assert sum(one.numel() for one in network.parameters()) == WITHOUT_CLASSIFIER[depth]
    kinds = {name.rsplit(".", 1)[1] for name, _ in network.named_buffers()}
    assert kinds == {"running_mean", "running_var", "num_batches_tracked"}
    assert network.dim == (2048 if depth == 50 else 512)


def test_depth_50_has_its_stride_in_the_three_by_three_convolution() -> None:
    network = ResNet(50, width=4)
    block = network.layer2[0]
    assert (block.conv1.stride, block.conv2.stride, block.conv3.stride) == ((1, 1), (2, 2), (1, 1))
    shapes = {name: tuple(one.shape) for name, one in network.layer4[0].named_parameters()}
    assert shapes["conv1.weight"] == (32, 64, 1, 1)
    assert shapes["conv2.weight"] == (32, 32, 3, 3)
    assert shapes["conv3.weight"] == (128, 32, 1, 1)
    assert shapes["downsample.0.weight"] == (128, 64, 1, 1)
    assert network.layer1[0].downsample[0].stride == (1, 1)


@pytest.mark.parametrize(("depth", "dim"), [(18, 24), (34, 24), (50, 96)])
def test_every_frame_becomes_a_vector_of_its_own(depth: int, dim: int) -> None:
    torch.manual_seed(0)
    network = ResNet(depth, width=3, in_channels=1).eval()
    frames = torch.randn(3, 1, 27, 2)
    found = network(frames)
    assert found.shape == (3, dim) == (3, network.dim)
    torch.testing.assert_close(network(frames[1:2]), found[1:2], atol=1e-5, rtol=1.3e-6)
    assert not torch.allclose(found[0], found[1])


def normalised(x: torch.Tensor, weights: dict[str, torch.Tensor], name: str) -> torch.Tensor:
    parts = [weights[f"{name}.{part}"] for part in ("running_mean", "running_var")]
    scale = [weights[f"{name}.{part}"] for part in ("weight", "bias")]
    return functional.batch_norm(x, *parts, *scale)


def test_depth_18_equals_the_formula_written_out() -> None:
    torch.manual_seed(0)
    network = ResNet(18, width=2).eval()
    for value in network.state_dict().values():
        if value.dim() == 1:
            value.copy_(torch.rand_like(value) + 0.5)
    weights = network.state_dict()
    pictures = torch.randn(3, 3, 37, 33)
    x = functional.conv2d(pictures, weights["conv1.weight"], stride=2, padding=3)
    x = functional.max_pool2d(normalised(x, weights, "bn1").relu(), 3, stride=2, padding=1)
    for stage in (1, 2, 3, 4):
        for block in (0, 1):
            name, stride = f"layer{stage}.{block}", 2 if stage > 1 and block == 0 else 1
            y = functional.conv2d(x, weights[f"{name}.conv1.weight"], stride=stride, padding=1)
            y = normalised(y, weights, f"{name}.bn1").relu()
            y = functional.conv2d(y, weights[f"{name}.conv2.weight"], padding=1)
            y = normalised(y, weights, f"{name}.bn2")
            if stride == 2:
                x = functional.conv2d(x, weights[f"{name}.downsample.0.weight"], stride=2)
                x = normalised(x, weights, f"{name}.downsample.1")
            x = (x + y).relu()
    expected = x.mean(dim=(2, 3))
    torch.testing.assert_close(network(pictures), expected, atol=1e-4, rtol=1e-5)


def test_each_block_begins_as_its_shortcut_alone() -> None:
    for depth in (18, 50):
        network = ResNet(depth, width=2)
        last = "bn3" if depth == 50 else "bn2"
        for stage in (1, 2, 3, 4):
            for block in getattr(network, f"layer{stage}"):
                assert (getattr(block, last).weight == 0).all()
                assert (block.bn1.weight == 1).all()
