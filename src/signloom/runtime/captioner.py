"""ONNX Runtime sessions of a captioning package, as a stepper for searches over groups of words.

image     pixels uint8 [B, 224, 224, 3] → features float32 [B, P, D]; absent where features are
          given
encoder   features float32 [B, P, D], lengths int64 [B] → memory [B, P, L, 2, H, Dh]
step      see `runtime.token_session`, with the K words of a group as slots
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from signloom.errors import ConfigError, PackageError
from signloom.runtime.caption_settings import CaptionSettings
from signloom.runtime.graphs import open_graph
from signloom.runtime.image_session import ImageSession
from signloom.runtime.package import Package
from signloom.runtime.token_session import TokenSession, TokenState
from signloom.search.draws import Sources
from signloom.search.slots import Floats, Ids


class CaptionerSession:
    """A captioner; a `search.groups.GroupStepper`.

    Args:
        package: The package to run.
        threads: Threads inside one operator.

    Attributes:
        tokens: What writes words, once pictures are encoded.

    Raises:
        PackageError: The package is of another system, or its graphs do not fit.
    """

    def __init__(self, package: Package, *, threads: int = 1) -> None:
        self.package = package
        self.settings = settings = CaptionSettings.read(package)
        cache = (settings.num_layers, 2, settings.num_heads, settings.head_dim)
        names = ({"features", "lengths"}, {"memory"})
        self._encoder = open_graph(package, "encoder", names=names, threads=threads)
        self._encoder.check_shapes(
            {
                "features": (None, None, settings.num_features),
                "lengths": (None,),
                "memory": (None, None, *cache),
            }
        )
        self.tokens = TokenSession(package, cache=cache, threads=threads)
        self._image: ImageSession | None = None
        if settings.has_image_network:
            self._image = ImageSession(
                package.graph("image"), where=f"`image.onnx` of {package.path}", threads=threads
            )
            given = (self._image.positions, self._image.num_features)
            if given[0] > settings.positions or given[1] != settings.num_features:
                raise PackageError(
                    f"`image.onnx` of {package.path} must give at most {settings.positions} "
                    f"positions of {settings.num_features} features, but gives {list(given)}."
                )

    @property
    def num_tokens(self) -> int:
        """Size of the vocabulary."""
        return self.tokens.num_tokens

    @property
    def group(self) -> int:
        """Words that come at once, K."""
        return self.settings.group

    def look(self, pictures: npt.NDArray[np.uint8]) -> Floats:
        """Give the features [pictures, positions, features] of squares of pixels.

        Raises:
            ConfigError: The package has no image network.
            PackageError: The graph fails.
        """
        if self._image is None:
            raise ConfigError(
                f"Pictures can be shown to a captioner with an image network only, but "
                f"{self.package.name} has none: it reads features that others have computed."
            )
        return self._image.look(pictures)

    def begin(self, source: Sources) -> TokenState:
        """Encode pictures and allocate the cache.

        Raises:
            PackageError: The graph fails.
        """
        shape = (*source.values.shape[:2], *self.tokens.cache)
        feed = {"features": source.values, "lengths": source.lengths}
        [memory] = self._encoder.run(["memory"], feed, shapes=[shape])
        return self.tokens.begin(memory, source.lengths)

    def step(self, tokens: Ids, state: TokenState) -> tuple[Floats, TokenState]:
        """Score the next group [rows, group, tokens], fed the group before it [rows, group].

        Raises:
            PackageError: The graph fails, or gives what is no score.
        """
        return self.tokens.step(tokens, state), state

    def reorder(self, state: TokenState, rows: Ids) -> TokenState:
        """Take rows over, with their memory and cache."""
        return self.tokens.reorder(state, rows)
