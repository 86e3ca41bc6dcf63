"""Published weights of ResNets, from files of torchvision or timm, into `core.resnet`.

Their parameters are called the same, so that nothing is mapped; the classifier (`fc`, `head`) is
left out. Files are read without unpickling code: safetensors, or `torch.load(weights_only=True)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from signloom.core.resnet import ResNet
from signloom.errors import FormatError, MissingExtraError
from signloom.features.bounded import check_plain

CLASSIFIER = ("fc.", "head.")
WRAPPERS = ("state_dict", "model", "module")
"""Keys under which training scripts keep the weights."""


def load_backbone(network: ResNet, path: Path) -> int:
    """Load published weights.

    Args:
        network: Of the same depth and width; changed in place.
        path: Ends in `.safetensors`, or a file of `torch.save`.

    Returns:
        How many arrays were loaded.

    Raises:
        FormatError: The file cannot be read, or its weights are of another network.
        MissingExtraError: safetensors is needed and not installed.
    """
    weights = {
        name: value
        for name, value in _read(path).items()
        if not name.startswith(CLASSIFIER) and not name.endswith("num_batches_tracked")
    }
    own = {
        name: value
        for name, value in network.state_dict().items()
        if not name.endswith("num_batches_tracked")
    }
    if weights.keys() != own.keys():
        odd = sorted(weights.keys() ^ own.keys())
        where = "the file has not" if odd[0] in own else "the network has not"
        raise FormatError(
            f"{path} must hold the weights of such a ResNet, but {len(odd)} names differ, the "
            f"first {odd[0][:60]!r}, which {where}. Choose the depth of the file."
        )
    for name, value in own.items():
        if weights[name].shape != value.shape:
            raise FormatError(
                f"{path} must hold `{name}` of shape {list(value.shape)}, but has "
                f"{list(weights[name].shape)}. Choose depth and width of the file."
            )
        if not _holds_numbers(weights[name]):
            raise FormatError(
                f"{path} must hold finite numbers, but `{name}` has others. Take the file as it "
                "was published."
            )
    network.load_state_dict(weights, strict=False)
    return len(weights)


def _holds_numbers(value: Tensor) -> bool:
    """Say whether it is an array of finite floating-point numbers, all of them there."""
    is_plain = value.layout == torch.strided and not value.is_meta and value.is_floating_point()
    return is_plain and bool(value.isfinite().all())


def _read(path: Path) -> dict[str, Tensor]:
    try:
        check_plain(path)
        if path.suffix == ".safetensors":
            found: Any = _read_safetensors(path)
        else:
            found = torch.load(path, map_location="cpu", weights_only=True)
    except MissingExtraError:
        raise
    except FormatError as error:
        raise FormatError(f"{path} cannot be read: {error}.") from error
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror or error}.") from error
    except Exception as error:  # archives and pickles fail in more ways than are worth naming
        reason = str(error).splitlines()[0][:160] if str(error) else type(error).__name__
        raise FormatError(
            f"{path} must hold weights as torchvision or timm publish them, but does not: {reason}"
        ) from error
    for wrapper in WRAPPERS:
        if isinstance(found, Mapping) and isinstance(found.get(wrapper), Mapping):
            found = found[wrapper]
    if not isinstance(found, Mapping) or not all(isinstance(one, Tensor) for one in found.values()):
        raise FormatError(f"{path} must hold arrays by name, but holds something else.")
    return {str(name).removeprefix("module."): value for name, value in found.items()}


def _read_safetensors(path: Path) -> dict[str, Tensor]:
    try:
        from safetensors.torch import load_file
    except ImportError as error:
        raise MissingExtraError("train", "Weights in .safetensors") from error
    weights: dict[str, Tensor] = load_file(path)
    return weights
