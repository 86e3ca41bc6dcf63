"""An image network on ONNX Runtime: pixels in, features of a grid of places out.

image   pixels uint8 [B, S, S, 3] → features float32 [B, P, D], row by row of the grid
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from signloom.features.footage import Picture
from signloom.features.squares import square
from signloom.runtime.graphs import Graph, open_bytes
from signloom.search.slots import Floats

NETWORK = "efficientnet-lite0"
"""The network whose features captioners learn from."""
SIDE_PX = 224
_NAMES = ({"pixels"}, {"features"})


class ImageSession:
    """An image network.

    Args:
        graph: Its serialised graph.
        where: What to call it in messages.
        threads: Threads inside one operator.

    Raises:
        PackageError: It cannot be run, or takes and gives something else.

    Attributes:
        positions: Places of the grid.
        num_features: Numbers of a place.
    """

    def __init__(self, graph: bytes, *, where: str = "the image network", threads: int = 1) -> None:
        self._graph: Graph = open_bytes(graph, where=where, names=_NAMES, threads=threads)
        self._graph.check_shapes(
            {"pixels": (None, SIDE_PX, SIDE_PX, 3), "features": (None, None, None)}
        )
        blank = np.zeros((1, SIDE_PX, SIDE_PX, 3), dtype=np.uint8)
        [features] = self._graph.run(["features"], {"pixels": blank})
        self.positions, self.num_features = features.shape[1:]

    def look(self, pictures: npt.NDArray[np.uint8]) -> Floats:
        """Give the features [pictures, positions, features] of squares [pictures, S, S, 3].

        Raises:
            PackageError: The graph fails, or gives what is no feature.
        """
        shape = (len(pictures), self.positions, self.num_features)
        [features] = self._graph.run(["features"], {"pixels": pictures}, shapes=[shape])
        if not np.isfinite(features).all():
            raise self._graph.fault("`features` must be finite, but hold NaN or infinity")
        found: Floats = features
        return found


def as_square(picture: Picture) -> Picture:
    """Cut the middle square out of a picture and scale it to what image networks look at."""
    return square(picture, side_px=SIDE_PX)
