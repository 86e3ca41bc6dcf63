"""Looks at every picture of a corpus once and keeps what an image network sees, file by file.

A run that was killed goes on: files whose pictures, network and views are the same stay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from signloom.data.unfinished import write_json
from signloom.errors import FormatError
from signloom.features.pictures import read_picture
from signloom.features.store import GRAPH, INDEX, VIEWS, Index, Shard, read_shard
from signloom.poses.formats.atomic import replacing
from signloom.runtime.image_session import ImageSession, as_square

SHARD_PICTURES = 256
BATCH = 4


@dataclass
class Looked:
    """What has been done.

    Attributes:
        written: Files written.
        kept: Files that were there already.
        pictures: Pictures whose features are there.
        refused: Why each picture without features has none.
    """

    written: int = 0
    kept: int = 0
    pictures: int = 0
    refused: list[str] = field(default_factory=list)


class Looker:
    """Fills a cache folder.

    Args:
        graph: The image network, serialised.
        network: Its name.
        folder: The cache; made if it is not there.
        mirrored: Whether mirror images are looked at, too.

    Raises:
        FormatError: The folder holds something else, or features of another network or of other
            views.
        PackageError: The network cannot be run.
    """

    def __init__(self, graph: bytes, *, network: str, folder: Path, mirrored: bool) -> None:
        self._session = ImageSession(graph)
        self._folder = folder
        self._index = Index(
            network=network,
            network_sha256=hashlib.sha256(graph).hexdigest(),
            positions=self._session.positions,
            num_features=self._session.num_features,
            views=VIEWS if mirrored else VIEWS[:1],
        )
        self._before = self._begin(graph)

    def look(
        self,
        pictures: Mapping[str, Path],
        *,
        advance: Callable[[int], None] = lambda _: None,
    ) -> Looked:
        """Look at pictures, by name; those that do not hold are left out and named."""
        looked, names = Looked(), list(pictures)
        for number, first in enumerate(range(0, len(names), SHARD_PICTURES)):
            chosen = {name: pictures[name] for name in names[first : first + SHARD_PICTURES]}
            shard = self._shard(f"features-{number:05d}.npy", chosen, looked, advance)
            self._before.pop(shard.file, None)
            self._index = replace(self._index, shards=(*self._index.shards, shard))
            looked.pictures += len(shard.names)
            # Until all is seen, files of an earlier run stay listed: a kill must not lose them.
            listed = (*self._index.shards, *self._before.values())
            write_json(self._folder / INDEX, replace(self._index, shards=listed).to_dict())
        write_json(self._folder / INDEX, self._index.to_dict())
        return looked

    def _begin(self, graph: bytes) -> dict[str, Shard]:
        """Make the folder, or give what an earlier run left in it."""
        folder = self._folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            begun = (folder / INDEX).is_file()
            if not begun and any(one.name != GRAPH for one in folder.iterdir()):
                raise FormatError(f"{folder} must be new, empty or a cache, but holds files.")
        except OSError as error:
            raise FormatError(f"{folder} cannot be made: {error.strerror}.") from error
        before = Index.read(folder) if begun else self._index
        if replace(before, shards=()) != self._index:
            raise FormatError(
                f"{folder} must be a cache of {self._index.described}, but is one of "
                f"{before.described}. Name another folder, or remove it."
            )
        if not (begun and (folder / GRAPH).is_file()):
            with replacing(folder / GRAPH) as temporary:
                temporary.write_bytes(graph)
            write_json(folder / INDEX, before.to_dict())
        return {one.file: one for one in before.shards}

    def _shard(
        self,
        file: str,
        pictures: Mapping[str, Path],
        looked: Looked,
        advance: Callable[[int], None],
    ) -> Shard:
        sources = {name: _digest(path) for name, path in pictures.items()}
        kept = self._kept(file, sources)
        if kept is not None:
            looked.kept += 1
            advance(len(pictures))
            left = [path for name, path in pictures.items() if name not in kept.names]
            looked.refused += [str(_seen(path)) for path in left]
            return kept
        names, rows = [], []
        for name, path in pictures.items():
            square = _seen(path)
            if isinstance(square, FormatError):
                looked.refused.append(str(square))
            else:
                rows.append(square)
                names.append(name)
        features = self._features(rows, advance)
        advance(len(pictures) - len(rows))
        with replacing(self._folder / file) as temporary, temporary.open("wb") as stream:
            np.save(stream, features, allow_pickle=False)
        looked.written += 1
        digest = _digest(self._folder / file)
        return Shard(file=file, sha256=digest, names=tuple(names), sources=sources)

    def _kept(self, file: str, sources: Mapping[str, str]) -> Shard | None:
        """Give the file of an earlier run if it is of the same pictures and whole."""
        before = self._before.get(file)
        if before is None or dict(before.sources) != dict(sources):
            return None
        try:
            read_shard(self._folder, before, self._index)
        except FormatError:
            return None
        return before

    def _features(
        self, squares: Sequence[NDArray[np.uint8]], advance: Callable[[int], None]
    ) -> NDArray[np.float16]:
        index = self._index
        shape = (len(squares), len(index.views), index.positions, index.num_features)
        features = np.empty(shape, dtype=np.float16)
        for first in range(0, len(squares), BATCH):
            batch = np.stack(squares[first : first + BATCH])
            features[first : first + BATCH, 0] = self._session.look(batch)
            if len(index.views) > 1:
                mirrored = np.ascontiguousarray(batch[:, :, ::-1])
                features[first : first + BATCH, 1] = self._session.look(mirrored)
            advance(len(batch))
        return features


def _seen(path: Path) -> NDArray[np.uint8] | FormatError:
    """Give what the network looks at of a picture, or why it cannot."""
    try:
        return as_square(read_picture(path).pixels)
    except FormatError as error:
        return error


def _digest(path: Path) -> str:
    """Give the SHA-256 of a file; nothing where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
