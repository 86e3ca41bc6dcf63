"""Features of pictures: those of a cache folder, which an image network has computed once.

    index.json              what network gave them, of which pictures; SHA-256 of every file
    features-00000.npy …    float16 [pictures, views, positions, features]

A view is the picture itself or its mirror image.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class PictureFeatures(Protocol):
    """Features of pictures by name."""

    @property
    def num_features(self) -> int:
        """Numbers of one position."""
        ...

    @property
    def views(self) -> int:
        """How many views there are of each picture, the plain one first."""
        ...

    def __contains__(self, name: object) -> bool:
        """Say whether a picture is there."""
        ...

    def get(self, name: str, view: int = 0) -> NDArray[np.float16]:
        """Give the features of a picture [positions, features]."""
        ...


class FeatureStore:
    """A cache folder, memory-mapped."""

    def __init__(self, folder: Path) -> None:
        index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
        self.num_features = int(index["num_features"])
        self.views = len(index["views"])
        self._places: dict[str, NDArray[np.float16]] = {}
        for shard in index["shards"]:
            rows = np.load(folder / shard["file"], mmap_mode="r", allow_pickle=False)
            self._places.update(zip(shard["names"], rows, strict=True))

    @property
    def names(self) -> tuple[str, ...]:
        """The pictures that are there."""
        return tuple(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def get(self, name: str, view: int = 0) -> NDArray[np.float16]:
        """Give the features of a picture [positions, features]; see `PictureFeatures`."""
        return self._places[name][view]
