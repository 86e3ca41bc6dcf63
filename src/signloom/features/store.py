"""Features of pictures: those of a cache folder, which an image network has computed once.

    index.json              what network gave them, of which pictures; SHA-256 of every file
    image.onnx              the network itself
    features-00000.npy …    float16 [pictures, views, positions, features]

A view is the picture itself or its mirror image. The files are mapped into memory, never unpickled.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.formats.plain import read_plain

INDEX = "index.json"
GRAPH = "image.onnx"
FORMAT = 1
VIEWS = ("plain", "mirrored")
_MAX_INDEX_BYTES = 256 * 2**20
_MAX_NETWORK_BYTES = 2**30


@runtime_checkable
class PictureFeatures(Protocol):
    """Features of pictures by name."""

    @property
    def num_features(self) -> int:
        """Numbers of one position."""
        ...

    @property
    def positions(self) -> int:
        """Most positions of a picture."""
        ...

    @property
    def views(self) -> int:
        """How many views there are of each picture, the plain one first."""
        ...

    def __contains__(self, name: object) -> bool:
        """Say whether a picture is there."""
        ...

    def get(self, name: str, view: int = 0) -> NDArray[np.floating[Any]]:
        """Give the features of a picture [positions, features]."""
        ...


@dataclass(frozen=True, kw_only=True)
class Shard:
    """One file of features.

    Attributes:
        file: Its name.
        sha256: Of its bytes.
        names: The pictures in it, in their order.
        sources: SHA-256 of every picture that was looked at for it, those that were refused too.
    """

    file: str
    sha256: str
    names: tuple[str, ...]
    sources: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Index:
    """What `index.json` says.

    Attributes:
        network: Name of the image network.
        network_sha256: Of its graph.
        positions: Places of a picture.
        num_features: Numbers of a place.
        views: What is seen of a picture.
        shards: The files.
        format: Version of this form.
    """

    network: str
    network_sha256: str
    positions: int
    num_features: int
    views: tuple[str, ...]
    shards: tuple[Shard, ...] = ()
    format: int = FORMAT

    @property
    def described(self) -> str:
        """What it is an index of, for messages."""
        return f"{self.network} ({self.network_sha256[:12]}…), {' and '.join(self.views)}"

    def to_dict(self) -> dict[str, Any]:
        """Give what the file shall hold."""
        return asdict(self)

    @classmethod
    def read(cls, folder: Path) -> Index:
        """Read the index of a cache folder.

        Raises:
            FormatError: It is missing, or says something else.
        """
        path = folder / INDEX
        try:
            if path.stat().st_size > _MAX_INDEX_BYTES:
                raise FormatError(f"{path} must have at most {_MAX_INDEX_BYTES} bytes.")
            values = json.loads(path.read_text(encoding="utf-8"))
            if values["format"] != FORMAT:
                raise ValueError(f"its format is {values['format']}")
            shards = tuple(map(_shard_of, values.pop("shards")))
            views = tuple(map(str, values.pop("views")))
            if views not in (VIEWS, VIEWS[:1]):
                raise ValueError(f"its views are {', '.join(views)}")
            return cls(**values, views=views, shards=shards)
        except FileNotFoundError as error:
            raise FormatError(
                f"{folder} must be a folder of features, but holds no {INDEX}. Make it with "
                "`signloom data features`."
            ) from error
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            reason = " ".join(str(error).split())[:120]
            raise FormatError(
                f"{path} must be an index of features, but is not: {reason}."
            ) from error


class FeatureStore:
    """A cache folder, mapped into memory.

    Args:
        folder: What `signloom data features` wrote.

    Raises:
        FormatError: A file is missing, altered or of another shape.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.index = folder, Index.read(folder)
        self._places: dict[str, NDArray[np.float16]] = {}
        for shard in self.index.shards:
            rows = read_shard(folder, shard, self.index)
            self._places.update(zip(shard.names, rows, strict=True))

    @property
    def num_features(self) -> int:
        """Numbers of one position."""
        return self.index.num_features

    @property
    def positions(self) -> int:
        """Positions of a picture."""
        return self.index.positions

    @property
    def views(self) -> int:
        """How many views there are of each picture."""
        return len(self.index.views)

    @property
    def names(self) -> tuple[str, ...]:
        """The pictures that are there."""
        return tuple(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def get(self, name: str, view: int = 0) -> NDArray[np.float16]:
        """Give the features of a picture [positions, features]; see `PictureFeatures`."""
        found: NDArray[np.float16] = self._places[name][view]
        return found


def _shard_of(values: dict[str, Any]) -> Shard:
    """Make a shard of its values; raise `TypeError` where one is of another kind."""
    shard = Shard(**(values | {"names": tuple(values["names"])}))
    texts = [shard.file, shard.sha256, *shard.names, *shard.sources, *shard.sources.values()]
    if not all(isinstance(one, str) for one in texts):
        raise TypeError("a shard must hold texts")
    return shard


def read_network(folder: Path) -> bytes | None:
    """Give the graph of the network that a cache folder was filled by; None if there is none.

    Raises:
        FormatError: It cannot be read, or is another than the index says.
    """
    path = folder / GRAPH
    if not (path.is_file() and (folder / INDEX).is_file()):
        return None
    try:
        graph = read_plain(path, most=_MAX_NETWORK_BYTES)
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    if hashlib.sha256(graph).hexdigest() != Index.read(folder).network_sha256:
        raise FormatError(
            f"{path} must be as it was written, but its checksum differs. Remove the folder and "
            "run `signloom data features` again."
        )
    return graph


def read_shard(folder: Path, shard: Shard, index: Index) -> NDArray[np.float16]:
    """Map a file of features, its bytes checked.

    Returns:
        float16 [pictures, views, positions, features].

    Raises:
        FormatError: It is missing, altered or of another shape.
    """
    path = folder / Path(shard.file).name
    if not path.is_file():
        raise FormatError(f"{path} must be a plain file, but is none.")
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != shard.sha256:
            raise FormatError(
                f"{path} must be as it was written, but its checksum differs. Remove it and run "
                "`signloom data features` again."
            )
        rows = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise FormatError(f"{path} cannot be read: {error}.") from error
    shape = (len(shard.names), len(index.views), index.positions, index.num_features)
    if rows.dtype != np.float16 or rows.shape != shape:
        raise FormatError(
            f"{path} must be float16 {list(shape)}, but is {rows.dtype} {list(rows.shape)}."
        )
    found: NDArray[np.float16] = rows
    return found
