"""One shard of a prepared corpus: a Parquet file.

A row is an utterance; its frames are one list of float32, 150 a frame, so that they are read as
views of Arrow's memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signloom.data.example import Example
from signloom.data.shard_guard import (
    FRAME_VALUES,
    MAX_FRAMES,
    SHARD_EXAMPLES,
    first_line,
    load_arrow,
    open_shard,
    schema,
    text_problem,
)
from signloom.errors import FormatError
from signloom.poses.formats.atomic import replacing
from signloom.poses.pose import MAX_FPS, MIN_FPS


@dataclass(frozen=True, eq=False)
class Row:
    """An utterance of a shard.

    Attributes:
        example: Text and frames.
        missing: Share of its joints that the recording did not show.
    """

    example: Example
    missing: float


def write_shard(path: Path, rows: Sequence[Row]) -> str:
    """Write a shard, which appears whole or not at all; give the SHA-256 of the file.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: The place cannot be written to.
    """
    arrow = load_arrow()
    frames = [np.ascontiguousarray(row.example.frames, dtype=np.float32).ravel() for row in rows]
    edges = np.cumsum([0, *(len(values) for values in frames)]).astype(np.int32)
    columns: dict[str, Any] = {
        "name": [row.example.name for row in rows],
        "text": [row.example.text for row in rows],
        "glosses": [list(row.example.glosses) for row in rows],
        "signer": [row.example.signer for row in rows],
        "fps": [row.example.fps for row in rows],
        "num_frames": [row.example.num_frames for row in rows],
        "missing": [row.missing for row in rows],
        "frames": arrow.ListArray.from_arrays(
            arrow.array(edges), arrow.array(np.concatenate(frames))
        ),
    }
    table = arrow.table(columns, schema=schema())
    buffer = arrow.BufferOutputStream()
    arrow.parquet.write_table(
        table,
        buffer,
        compression="zstd",
        use_dictionary=False,
        write_statistics=False,
        row_group_size=SHARD_EXAMPLES,
    )
    data = buffer.getvalue()
    with replacing(path) as temporary:
        temporary.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def read_shard(path: Path, *, checksum: str | None = None) -> list[Row]:
    """Read a shard; the frames of its examples are views that cannot be written to.

    Args:
        path: The file.
        checksum: The SHA-256 that the file must have. Arrow's own reader ends the process over
            some damaged files, so that one which is not known to be whole is a risk.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: The file is damaged, has other columns, or says that it is too large; or an
            utterance does not hold.
    """
    rows = []
    for row in examine_shard(path, checksum=checksum):
        if isinstance(row, FormatError):
            raise row
        rows.append(row)
    return rows


def examine_shard(path: Path, *, checksum: str | None = None) -> Iterator[Row | FormatError]:
    """Give each utterance of a shard, or why it does not hold.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: The file is damaged, has other columns, or says that it is too large.
    """
    table = _read_columns(path, None, checksum)
    values = table.column("frames").combine_chunks()
    if hasattr(values, "chunks"):
        values = values.chunk(0)
    flat = values.values.to_numpy(zero_copy_only=True)
    edges = values.offsets.to_numpy()
    flat.flags.writeable = False
    facts = table.drop_columns(["frames"]).to_pylist()
    for fact, (start, end) in zip(facts, pairwise(edges.tolist()), strict=True):
        try:
            yield _row(path, fact, flat[start:end])
        except FormatError as error:
            yield error


def read_facts(path: Path, *, checksum: str | None = None) -> list[dict[str, Any]]:
    """Read all columns of a shard but its frames, one dict a row; see `read_shard`."""
    facts: list[dict[str, Any]] = _read_columns(
        path, [name for name in schema().names if name != "frames"], checksum
    ).to_pylist()
    return facts


def _read_columns(path: Path, names: list[str] | None, checksum: str | None) -> Any:
    file = open_shard(path, checksum=checksum)
    try:
        table = file.read(columns=names, use_threads=False)
        table.validate(full=True)
    except Exception as error:  # as above
        raise FormatError(f"{path} is damaged: {first_line(error)}.") from error
    if any(column.null_count for column in table.columns):
        raise FormatError(f"{path} must have a value in every field, but lacks one.")
    return table


def _row(path: Path, fact: dict[str, Any], values: NDArray[np.float32]) -> Row:
    problem = _problem(fact, values)
    if problem is not None:
        raise FormatError(f"{path}: the utterance {fact['name'][:80]!r} {problem}.")
    example = Example(
        name=fact["name"],
        text=fact["text"],
        tokens=(),
        frames=values.reshape(fact["num_frames"], -1, 3),
        spans=(),
        fps=fact["fps"],
        glosses=tuple(fact["glosses"]),
        signer=fact["signer"],
    )
    return Row(example, fact["missing"])


def _problem(fact: dict[str, Any], values: NDArray[np.float32]) -> str | None:
    """Say why an utterance does not hold, or nothing."""
    count = fact["num_frames"]
    if not 1 <= count <= MAX_FRAMES or len(values) != count * FRAME_VALUES:
        return (
            f"must have 1 to {MAX_FRAMES} frames of {FRAME_VALUES} numbers, "
            f"but has {len(values)} numbers for {count} frames"
        )
    if not np.isfinite(values).all():
        where = int(np.flatnonzero(~np.isfinite(values))[0])
        frame, place = divmod(where, FRAME_VALUES)
        return (
            f"must be finite, but joint {place // 3} of frame {frame} has a coordinate "
            f"{values[where]}"
        )
    problem = text_problem(fact["text"], fact["name"], fact["signer"], " ".join(fact["glosses"]))
    if problem is not None:
        return problem
    if not MIN_FPS <= fact["fps"] <= MAX_FPS:
        return f"must have an fps from {MIN_FPS:g} to {MAX_FPS:g}, but has {fact['fps']:g}"
    if not 0 <= fact["missing"] <= 1:
        return f"must have a share of missing joints from 0 to 1, but has {fact['missing']:g}"
    return None
