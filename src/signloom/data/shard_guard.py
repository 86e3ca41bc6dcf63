"""Check the Parquet file of a shard before anything of it is decompressed.

The file's own counts are compared with bounds: a small file that unfolds into gigabytes is refused
by what it says of itself. Arrow's reader ends the process over some damaged files, so a checksum is
compared first where one is known.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.errors import FormatError, MissingExtraError
from signloom.poses.formats.plain import read_plain

if TYPE_CHECKING:
    import pyarrow

SHARD_EXAMPLES = 64
MAX_FRAMES = 10_000
"""Most frames of an utterance: 400 s at 25 fps."""
FRAME_VALUES = 150
ENCODINGS = {"PLAIN", "RLE"}
"""Those in which a value takes the bytes that it has; others repeat what is written once."""
MAX_TEXT = 20_000
"""Most characters of a name, a text, a signer or all glosses."""
MAX_BYTES = 512 * 2**20
"""Most bytes of a shard, unfolded: a little more than its most frames take."""


def load_arrow() -> Any:
    """Import pyarrow, which the base install lacks.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError("data", "A prepared corpus") from error
    return pyarrow


def schema() -> pyarrow.Schema:
    """Give the columns of a shard."""
    arrow = load_arrow()
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


def open_shard(path: Path, *, checksum: str | None) -> Any:
    """Open a shard as a `pyarrow.parquet.ParquetFile` whose metadata holds.

    Args:
        path: The file.
        checksum: The SHA-256 that it must have, or None if nobody knows.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: The file is missing, damaged, has other columns, or says that it is too large.
    """
    arrow = load_arrow()
    data = _read_bytes(path)
    if checksum is not None and hashlib.sha256(data).hexdigest() != checksum:
        raise FormatError(
            f"{path} must have the checksum that the card says, but has another: it was damaged "
            "or changed. Prepare the corpus anew."
        )
    try:
        file = arrow.parquet.ParquetFile(arrow.BufferReader(data))
    except Exception as error:  # a damaged footer fails in more ways than pyarrow names
        raise FormatError(f"{path} is damaged or no Parquet file: {first_line(error)}.") from error
    if not file.schema_arrow.equals(schema(), check_metadata=False):
        raise FormatError(
            f"{path} must have the columns {', '.join(schema().names)} of a prepared corpus, "
            f"but has {', '.join(file.schema_arrow.names)[:80]} or other types of them."
        )
    _check_counts(path, file.metadata)
    return file


def _read_bytes(path: Path) -> bytes:
    try:
        return read_plain(path, most=MAX_BYTES)
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
    others = {kind for chunk in chunks for kind in chunk.encodings} - ENCODINGS
    if others or any(chunk.has_dictionary_page for chunk in chunks):
        raise FormatError(
            f"{path} must be written plainly, as `signloom data prepare` does, but is packed by "
            f"{', '.join(sorted(others)) or 'dictionary'}."
        )


def text_problem(*texts: str) -> str | None:
    r"""Say why a shard cannot hold names and texts, or nothing.

    Example:
        >>> text_problem("Tomorrow it rains.", "ann")
        >>> text_problem("\ud800")
        'must have names and texts that UTF-8 can hold, but has half a surrogate pair'
    """
    if max(map(len, texts)) > MAX_TEXT:
        return f"must have names and texts of at most {MAX_TEXT} characters, but has more"
    if any("\ud800" <= letter <= "\udfff" for text in texts for letter in text):
        return "must have names and texts that UTF-8 can hold, but has half a surrogate pair"
    return None


def first_line(error: BaseException) -> str:
    """Give what an error of Arrow says, in one line."""
    lines = str(error).splitlines()
    return lines[0].rstrip(".")[:200] if lines else type(error).__name__
