"""A prepared corpus: a folder with `card.json` and shards `<split>-00000.parquet`.

Opening reads the card alone; a shard is read when one of its utterances is asked for and kept
until the shards read since hold more than a bound. A corpus that fits is read once.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from signloom.data.corpora.words import SPLITS
from signloom.data.example import Example
from signloom.data.shard_guard import SHARD_EXAMPLES
from signloom.data.shards import Row, read_shard
from signloom.errors import ConfigError, FormatError
from signloom.poses.formats.plain import read_plain

CARD = "card.json"
FORMAT = 1
MAX_CARD_BYTES = 16 * 2**20
CACHE_BYTES = 2 * 2**30
KINDS = ("signing", "fingerspelling")


def shard_path(folder: Path, split: str, number: int) -> Path:
    """Give the path of a shard.

    Example:
        >>> shard_path(Path("corpus"), "train", 3).name
        'train-00003.parquet'
    """
    return folder / f"{split}-{number:05d}.parquet"


class PreparedCorpus:
    """A corpus that `signloom data prepare` wrote.

    Attributes:
        folder: Where it is.
        card: What it is: name, kind, languages, licence, frame rate, source, counts, options.
    """

    def __init__(self, folder: Path, card: Mapping[str, Any]) -> None:
        self.folder = folder
        self.card = card
        self._shards = _Shards(CACHE_BYTES)

    @classmethod
    def open(cls, folder: Path) -> PreparedCorpus:
        """Open a folder.

        Raises:
            FormatError: It holds no prepared corpus, or one that is not finished.
        """
        return cls(folder, read_card(folder))

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that have utterances."""
        return tuple(split for split in SPLITS if self._count(split))

    def examples(self, split: str) -> Sequence[Example]:
        """Give the utterances of a split; their frames cannot be written to.

        Reading one raises `FormatError` if its shard is damaged.

        Raises:
            ConfigError: The corpus has no such split.
        """
        if split not in self.splits:
            raise ConfigError(
                f"The corpus {self.folder} must have the split `{split}`, but has "
                f"{', '.join(self.splits)}."
            )
        return _Examples(self, split, self._count(split))

    def rows(self, split: str, number: int) -> Sequence[Row]:
        """Give the rows of a shard: `SHARD_EXAMPLES` of them, fewer in the last."""
        expected = min(SHARD_EXAMPLES, self._count(split) - number * SHARD_EXAMPLES)
        path = shard_path(self.folder, split, number)
        rows = self._shards.get(path, str(self.card["shards"].get(path.name)))
        if len(rows) != expected:
            raise FormatError(
                f"{path} must have {expected} utterances as the card says, but has {len(rows)}. "
                "Prepare the corpus anew."
            )
        return rows

    def _count(self, split: str) -> int:
        return int(self.card["splits"].get(split, {}).get("utterances", 0))


class _Examples(Sequence[Example]):
    def __init__(self, corpus: PreparedCorpus, split: str, count: int) -> None:
        self._corpus = corpus
        self._split = split
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Example: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Example]: ...

    def __getitem__(self, place: int | slice) -> Example | Sequence[Example]:
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(self._count))]
        index = place + self._count if place < 0 else place
        if not 0 <= index < self._count:
            raise IndexError(f"The split has {self._count} utterances, but {place} was asked for.")
        number, row = divmod(index, SHARD_EXAMPLES)
        return self._corpus.rows(self._split, number)[row].example

    def __iter__(self) -> Iterator[Example]:
        return (self[index] for index in range(self._count))


class _Shards:
    """Shards read lately, up to a number of bytes of frames."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[Path, tuple[list[Row], int]] = OrderedDict()
        self._bytes = 0

    def get(self, path: Path, checksum: str) -> list[Row]:
        if path in self._held:
            self._held.move_to_end(path)
            return self._held[path][0]
        rows = read_shard(path, checksum=checksum)
        size = sum(row.example.frames.nbytes for row in rows)
        self._held[path] = rows, size
        self._bytes += size
        while self._bytes > self._most and len(self._held) > 1:
            _, (_, freed) = self._held.popitem(last=False)
            self._bytes -= freed
        return rows


def is_prepared(folder: Path) -> bool:
    """Say whether a folder has the card of a prepared corpus."""
    return (folder / CARD).is_file()


def read_card(folder: Path) -> dict[str, Any]:
    """Read and check the card of a prepared corpus.

    Raises:
        FormatError: It is missing or does not hold.
    """
    path = folder / CARD
    try:
        card = json.loads(read_plain(path, most=MAX_CARD_BYTES))
    except OSError as error:
        raise FormatError(
            f"{folder} must be a corpus that `signloom data prepare` has finished, but its "
            f"{CARD} cannot be read: {error.strerror}."
        ) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} must be JSON, but is not: {error}.") from error
    _check_card(path, card)
    return dict(card)


def _check_card(path: Path, card: Any) -> None:
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        found = card.get("format") if isinstance(card, dict) else type(card).__name__
        raise FormatError(f"{path} must have `format` {FORMAT}, but has {str(found)[:40]}.")
    for key in ("name", "language", "spoken_language", "licence"):
        if not isinstance(card.get(key), str):
            raise FormatError(f"{path} must say its `{key}`, but does not.")
    if card.get("kind") not in KINDS:
        raise FormatError(f"{path} must have the `kind` {' or '.join(KINDS)}, but has another.")
    if not isinstance(card.get("shards"), dict):
        raise FormatError(f"{path} must have the checksums of the `shards`, but has none.")
    splits = card.get("splits")
    if not isinstance(splits, dict) or not splits.keys() <= set(SPLITS):
        raise FormatError(f"{path} must have `splits` of {', '.join(SPLITS)}, but has others.")
    for split, counts in splits.items():
        count = counts.get("utterances") if isinstance(counts, dict) else None
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count < 2**31:
            raise FormatError(f"{path} must say the `utterances` of `{split}`, but does not.")
    needed = sum(-(-counts["utterances"] // SHARD_EXAMPLES) for counts in splits.values())
    if needed > len(card["shards"]):
        raise FormatError(
            f"{path} must name the {needed} `shards` that its `utterances` take, but names "
            f"{len(card['shards'])}."
        )
