"""Files that are no weights at all: nothing in them is run, nothing hangs, each is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch

from signloom.core.backbone import load_backbone
from signloom.core.resnet import ResNet
from signloom.errors import FormatError


@pytest.mark.parametrize(
    "change",
    [
        lambda value: torch.full_like(value, float("nan")),
        lambda value: value.to(torch.int64),
        lambda value: value.to(torch.complex64),
        lambda value: value.to_sparse(),
        lambda value: value.to("meta"),
    ],
    ids=["nan", "whole", "complex", "sparse", "meta"],
)
def test_what_is_no_array_of_finite_numbers_is_refused(tmp_path: Path, change) -> None:
    network = ResNet(18, width=8)
    weights = network.state_dict()
    weights["conv1.weight"] = change(weights["conv1.weight"])
    torch.save(weights, tmp_path / "odd.pth")
    with pytest.raises(FormatError, match=r"finite numbers, but `conv1\.weight` has others"):
        load_backbone(network, tmp_path / "odd.pth")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pth")
    with pytest.raises(FormatError, match="it is a folder, a pipe or a device"):
        load_backbone(ResNet(18, width=8), tmp_path / "pipe.pth")
