"""Pictures that stay in memory for as long as there is room; the longest unused go first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

MAX_BYTES = 2 * 2**30
"""What a cache may hold: 3 hours of 64 pixels at 15 frames per second."""


class PictureCache:
    """A memory of films, bounded by their bytes.

    Args:
        max_bytes: What it may hold; with 0 it remembers nothing.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self.max_bytes = max_bytes
        self.num_bytes = 0
        self._films: OrderedDict[bytes, NDArray[np.uint8]] = OrderedDict()

    def get(self, key: bytes, make: Callable[[], NDArray[np.uint8]]) -> NDArray[np.uint8]:
        """Give the film of a key, made if it is not remembered; it must not be written to."""
        if key in self._films:
            self._films.move_to_end(key)
            return self._films[key]
        film = make()
        film.flags.writeable = False
        if film.nbytes <= self.max_bytes:
            self._films[key] = film
            self.num_bytes += film.nbytes
        while self.num_bytes > self.max_bytes:
            self.num_bytes -= self._films.popitem(last=False)[1].nbytes
        return film
