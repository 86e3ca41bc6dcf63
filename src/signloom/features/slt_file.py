"""Pickles of neccam/slt (Sign Language Transformers): how PHOENIX14T's features go round.

A file such as `phoenix14t.pami0.train` is a list of dictionaries with `name`, `signer`, `gloss`,
`text` and `sign`, which is a tensor or an array [frames, features] or a list of rows. Packed by
gzip or not. Nothing that the pickle names is run, and PyTorch is not needed: see `restricted`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.features.arrays import Numbers, names_of_arrays
from signloom.features.bounded import MAX_BYTES, Budget, open_bounded
from signloom.features.frames import MAX_FRAMES, as_features
from signloom.features.restricted import load

MAX_TEXT = 20_000
"""Most characters of a name, a text, a signer or all glosses."""


class Entry(NamedTuple):
    """One dictionary of a file.

    Attributes:
        name: What messages call it; its number from 1 where the file has no name.
        features: float32 [frames, features].
        text: What is signed, without spaces at its ends.
        glosses: The glosses that are signed.
        signer: Who signs.
    """

    name: str
    features: NDArray[np.float32]
    text: str
    glosses: tuple[str, ...]
    signer: str


def read(
    path: Path, *, max_frames: int = MAX_FRAMES, max_bytes: int = MAX_BYTES
) -> Iterator[Entry]:
    """Read every entry of a file.

    Args:
        path: The file.
        max_frames: Most frames of an entry.
        max_bytes: Most bytes that the file may unfold into.

    Raises:
        FormatError: It names code, is damaged or too large, or an entry is not what it must be.
    """
    with open_bounded(path, max_bytes=max_bytes) as source:
        content = load(source, names_of_arrays(source.budget))
    if not isinstance(content, list | tuple):
        raise FormatError(f"{path} must hold a list of sequences, but does not.")
    waiting, budget = list(reversed(content)), Budget()
    total = len(waiting)
    del content
    while waiting:  # what is read is let go
        number = total - len(waiting) + 1
        yield _entry(waiting.pop(), number, f"{path} entry {number}", budget, max_frames=max_frames)


def _entry(content: object, number: int, place: str, budget: Budget, *, max_frames: int) -> Entry:
    if not isinstance(content, dict) or "sign" not in content:
        raise FormatError(f"{place} must be a dictionary with `sign`, but is not.")
    texts = {
        key: _text(content.get(key), place, key) for key in ("name", "text", "gloss", "signer")
    }
    values = _values(content["sign"], place, budget)
    return Entry(
        name=texts["name"] or str(number),
        features=as_features(values, place, max_frames=max_frames),
        text=texts["text"].strip(),
        glosses=tuple(texts["gloss"].split()),
        signer=texts["signer"],
    )


def _text(value: object, place: str, key: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise FormatError(
            f"{place} must have a text of at most {MAX_TEXT} characters as `{key}`, but has not."
        )
    return value


def _values(sign: object, place: str, budget: Budget) -> NDArray[Any]:
    if isinstance(sign, Numbers):
        return sign.values
    rows = sign if isinstance(sign, list) else []
    sizes = {_size(row) for row in rows}
    if len(sizes) != 1 or 0 in sizes:
        raise FormatError(
            f"{place} must have as `sign` an array, or a list of rows of equally many numbers, "
            "but has neither."
        )
    # A list may hold one row a million times.
    count = len(rows) * sizes.pop()
    try:
        budget.charge(8 * count)
        budget.step(sum(len(row) for row in rows if isinstance(row, list)))
    except FormatError as error:
        raise FormatError(f"{place} must be small enough to be read, but {error}.") from error
    return np.stack([_row(row, place) for row in rows])


def _size(row: object) -> int:
    """Count the numbers of a row; 0 if it is none."""
    if isinstance(row, Numbers):
        return row.values.size if row.values.ndim == 1 else 0
    return len(row) if isinstance(row, list) else 0


def _row(row: Numbers | list[Any], place: str) -> NDArray[Any]:
    if isinstance(row, Numbers):
        return row.values
    if not all(type(number) in (int, float) for number in row):
        raise FormatError(f"{place} must have rows of numbers as `sign`, but has other things.")
    try:
        return np.array(row, dtype=np.float64)
    except OverflowError:
        raise FormatError(f"{place} must hold finite numbers, but does not.") from None
