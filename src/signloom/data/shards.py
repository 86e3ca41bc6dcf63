"""One shard of a prepared corpus: a Parquet file, checked before anything of it is decompressed.

A row is an utterance; its frames are one list of float32, 150 a frame, so that they are read as
views of Arrow's memory. The file's own counts are compared with bounds first: a small file that
unfolds into gigabytes is refused by what it says of itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from signloom.data.example import Example
from signloom.errors import FormatError, MissingExtraError
from signloom.poses.formats.atomic import replacing
from signloom.poses.pose import MAX_FPS, MIN_FPS

if TYPE_CHECKING:
    import pyarrow

SHARD_EXAMPLES = 64
MAX_FRAMES = 10_000
"""Most frames of an utterance: 400 s at 25 fps."""
FRAME_VALUES = 150
MAX_BYTES = 512 * 2**20
"""Most bytes of a shard, unfolded: a little more than its most frames take."""
MAX_TEXT = 20_000
"""Most characters of a name, a text, a signer or all glosses."""


@dataclass(frozen=True, eq=False)
class Row:
    """An utterance of a shard.

    Attributes:
        example: Text and frames.
        missing: Share of its joints that the recording did not show.
    """

    example: Example
    missing: float


def _arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError("data", "A prepared corpus") from error
    return pyarrow


def schema() -> pyarrow.Schema:
    """Give the columns of a shard."""
    arrow = _arrow()
    columns = {
        "name": arrow.string(),
        "text": arrow.string(),
        "glosses": arrow.list_(arrow.string()),
        "signer": arrow.string(),
        "fps": arrow.float64(),
        "num_frames": arrow.int32(),
        "missing": arrow.float64(),
        "frames": arrow.list_(arrow.float32()),
    }
    return arrow.schema([arrow.field(name, kind, nullable=False) for name, kind in columns.items()])


def write_shard(path: Path, rows: Sequence[Row]) -> str:
    """Write a shard, which appears whole or not at all; give the SHA-256 of the file.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: The place cannot be written to.
    """
    arrow = _arrow()
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


def _open(path: Path, checksum: str | None) -> Any:
    arrow = _arrow()
    data = _read_bytes(path)
    if checksum is not None and hashlib.sha256(data).hexdigest() != checksum:
        raise FormatError(
            f"{path} must have the checksum that the card says, but has another: it was damaged "
            "or changed. Prepare the corpus anew."
        )
    try:
        file = arrow.parquet.ParquetFile(arrow.BufferReader(data))
    except Exception as error:  # a damaged footer fails in more ways than pyarrow names
        raise FormatError(f"{path} is damaged or no Parquet file: {_first_line(error)}.") from error
    if not file.schema_arrow.equals(schema(), check_metadata=False):
        raise FormatError(
            f"{path} must have the columns {', '.join(schema().names)} of a prepared corpus, "
            f"but has {', '.join(file.schema_arrow.names)[:80]} or other types of them."
        )
    _check_counts(path, file.metadata)
    return file


def _read_bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise FormatError(f"{path} must have at most {MAX_BYTES} bytes, but has {size}.")
        return path.read_bytes()
    except FileNotFoundError:
        raise FormatError(f"{path} must be a shard of a prepared corpus, but is missing.") from None
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error


def _check_counts(path: Path, metadata: Any) -> None:
    groups = [metadata.row_group(index) for index in range(min(metadata.num_row_groups, 65))]
    chunks = [group.column(place) for group in groups for place in range(metadata.num_columns)]
    size = sum(chunk.total_uncompressed_size for chunk in chunks)
    size = max(size, sum(group.total_byte_size for group in groups))
    most = max((chunk.num_values for chunk in chunks), default=0)
    for what, found, limit in (
        ("rows", metadata.num_rows, SHARD_EXAMPLES),
        ("row groups", metadata.num_row_groups, SHARD_EXAMPLES),
        ("bytes when unfolded", size, MAX_BYTES),
        ("values in a column", most, SHARD_EXAMPLES * MAX_FRAMES * FRAME_VALUES),
    ):
        if not 0 <= found <= limit:
            raise FormatError(f"{path} must have at most {limit} {what}, but says {found}.")
    if any(chunk.has_dictionary_page for chunk in chunks):
        raise FormatError(
            f"{path} must be written without dictionaries, as `signloom data prepare` does, "
            "but has one."
        )


def _read_columns(path: Path, names: list[str] | None, checksum: str | None) -> Any:
    file = _open(path, checksum)
    try:
        table = file.read(columns=names, use_threads=False)
        table.validate(full=True)
    except Exception as error:  # as above
        raise FormatError(f"{path} is damaged: {_first_line(error)}.") from error
    if any(column.null_count for column in table.columns):
        raise FormatError(f"{path} must have a value in every field, but lacks one.")
    return table


def _row(path: Path, fact: dict[str, Any], values: NDArray[np.float32]) -> Row:
    count = fact["num_frames"]
    problem = None
    if not 1 <= count <= MAX_FRAMES or len(values) != count * FRAME_VALUES:
        problem = (
            f"must have 1 to {MAX_FRAMES} frames of {FRAME_VALUES} numbers, "
            f"but has {len(values)} numbers for {count} frames"
        )
    elif not np.isfinite(values).all():
        where = int(np.flatnonzero(~np.isfinite(values))[0])
        frame, place = divmod(where, FRAME_VALUES)
        problem = (
            f"must be finite, but joint {place // 3} of frame {frame} has a coordinate "
            f"{values[where]}"
        )
    elif max(map(len, (fact["text"], fact["name"], fact["signer"], " ".join(fact["glosses"])))) > (
        MAX_TEXT
    ):
        problem = f"must have names and texts of at most {MAX_TEXT} characters, but has more"
    elif not MIN_FPS <= fact["fps"] <= MAX_FPS:
        problem = f"must have an fps from {MIN_FPS:g} to {MAX_FPS:g}, but has {fact['fps']:g}"
    elif not 0 <= fact["missing"] <= 1:
        problem = f"must have a share of missing joints from 0 to 1, but has {fact['missing']:g}"
    if problem:
        raise FormatError(f"{path}: the utterance {fact['name'][:80]!r} {problem}.")
    example = Example(
        name=fact["name"],
        text=fact["text"],
        tokens=(),
        frames=values.reshape(count, -1, 3),
        spans=(),
        fps=fact["fps"],
        glosses=tuple(fact["glosses"]),
        signer=fact["signer"],
    )
    return Row(example, fact["missing"])


def _first_line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0].rstrip(".")[:200] if lines else type(error).__name__
