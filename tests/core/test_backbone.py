"""Published weights are taken as they are, and nothing that a file brings along is run."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

from signloom.core.backbone import load_backbone
from signloom.core.resnet import ResNet
from signloom.errors import FormatError


def network(seed: int, depth: int = 18, width: int = 8) -> ResNet:
    torch.manual_seed(seed)
    return ResNet(depth, width=width)  # type: ignore[arg-type]


def published(seed: int) -> dict[str, Tensor]:
    """Weights as torchvision publishes them: with a classifier and counters."""
    return {**network(seed).state_dict(), "fc.weight": torch.ones(5, 64), "fc.bias": torch.ones(5)}


@pytest.mark.parametrize("suffix", [".safetensors", ".pth"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_weights_of_either_kind_are_loaded(tmp_path: Path, suffix: str, wrapped: bool) -> None:
    path, weights = tmp_path / f"resnet18{suffix}", published(1)
    if suffix == ".safetensors":
        save_file({name: value.contiguous() for name, value in weights.items()}, path)
    else:
        torch.save({"state_dict": weights} if wrapped else weights, path)
    own = network(0)
    count = load_backbone(own, path)
    assert count == len([name for name in own.state_dict() if not name.endswith("tracked")])
    pictures = torch.randn(2, 3, 40, 40)
    torch.testing.assert_close(own.eval()(pictures), network(1).eval()(pictures))


class Evil:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_a_pickle_that_runs_something_is_refused(tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    torch.save({"conv1.weight": Evil(trap)}, tmp_path / "evil.pth")
    (tmp_path / "raw.pth").write_bytes(pickle.dumps(Evil(trap)))
    for name in ("evil.pth", "raw.pth"):
        with pytest.raises(FormatError, match="as torchvision or timm publish them"):
            load_backbone(network(0), tmp_path / name)
    assert not trap.exists()


@pytest.mark.parametrize(
    ("other", "reason"),
    [((50, 8), "names differ"), ((18, 12), "of shape")],
)
def test_weights_of_another_network_are_refused(
    tmp_path: Path, other: tuple[int, int], reason: str
) -> None:
    torch.save(network(0, *other).state_dict(), tmp_path / "other.pth")
    with pytest.raises(FormatError, match=reason):
        load_backbone(network(0), tmp_path / "other.pth")


@pytest.mark.parametrize("content", [b"", b"no weights", b"PK\x03\x04"])
def test_what_is_no_file_of_weights_is_refused_in_a_line(tmp_path: Path, content: bytes) -> None:
    for name in ("x.pth", "x.safetensors"):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FormatError) as caught:
            load_backbone(network(0), tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(FormatError, match="cannot be read"):
        load_backbone(network(0), tmp_path / "missing.pth")
