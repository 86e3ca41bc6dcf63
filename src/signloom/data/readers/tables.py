"""Tables and lists of lines, read whole and with their line numbers kept for messages."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from signloom.data.readers.reading import Fault, Place
from signloom.errors import FormatError
from signloom.poses.formats.plain import read_plain

MAX_BYTES = 256 * 2**20

Row = tuple[Place, dict[str, str]]
KeyedLines = dict[str, tuple[Place, str]]
"""Where each id is listed, and what follows it."""


def read_lines(path: Path) -> list[str]:
    """Read the lines of a text file, without their ends; a last empty line does not count.

    Raises:
        FormatError: It is missing, no plain file, too large or no UTF-8.
    """
    try:
        text = read_plain(path, most=MAX_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} must be UTF-8 text, but byte {error.start} is not.") from error
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def read_table(
    path: Path, columns: Sequence[str], *, delimiter: str = ","
) -> tuple[list[Row], list[Fault]]:
    """Read a table with a header, row by row with the line each begins at.

    Args:
        path: The file.
        columns: Those that it must have.
        delimiter: What is between two fields. With `|` or a tab, quotes are letters like any other.

    Returns:
        The rows that have a field for each column, and a fault for each that has not.

    Raises:
        FormatError: The file cannot be read, or its header lacks a column.
    """
    lines = read_lines(path)
    source = io.StringIO("\n".join(lines))
    if delimiter in "|\t":
        reader = csv.reader(source, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        # Not strict, a quote that nobody closed would swallow every row after it.
        reader = csv.reader(source, delimiter=delimiter, strict=True)
    rows: list[Row] = []
    faults: list[Fault] = []
    line = 1
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(path, header, columns)
        line = reader.line_num + 1
        for fields in reader:
            place, line = Place(path, line), reader.line_num + 1
            if len(fields) == len(header):
                values = (field.strip() for field in fields)
                rows.append((place, dict(zip(header, values, strict=True))))
            elif any(fields):
                message = f"must have {len(header)} fields as the header has, but has {len(fields)}"
                faults.append(Fault(place, message))
    except csv.Error as error:
        raise FormatError(f"{path} line {line} is no row of a table: {error}.") from error
    return rows, faults


def _check_header(path: Path, header: Sequence[str], columns: Sequence[str]) -> None:
    missing = [name for name in columns if name not in header]
    if missing:
        found = ",".join(header)[:80]
        raise FormatError(
            f"{path} line 1 must name the columns {', '.join(columns)}, but lacks "
            f"`{missing[0]}`: it reads {found!r}."
        )
    twice = [name for name in header if header.count(name) > 1]
    if twice:
        raise FormatError(f"{path} line 1 must name each column once, but repeats `{twice[0]}`.")


def read_keyed_lines(path: Path, *, noun: str = "sentence") -> tuple[KeyedLines, list[Fault]]:
    """Read lines of an id and what belongs to it, parted by a space or a tab.

    Args:
        path: The file.
        noun: What belongs to an id, for messages.

    Returns:
        The place and the rest of each id, and a fault for each line that is none.

    Raises:
        FormatError: The file cannot be read.
    """
    found: KeyedLines = {}
    faults: list[Fault] = []
    for number, line in enumerate(read_lines(path), 1):
        place = Place(path, number)
        name, _, rest = line.strip().replace("\t", " ").partition(" ")
        if not rest.strip():
            faults.append(Fault(place, f"must read `id {noun}`, but reads {line[:40]!r}"))
        elif name in found:
            faults.append(Fault(place, f"repeats the id {name!r} of {found[name][0]}"))
        else:
            found[name] = place, rest.strip()
    return found, faults


def find_table(folder: Path, name: str, *, suffixes: Sequence[str] = (".csv",)) -> Path:
    """Give the table of a folder: the one that is named, or the only one there.

    Args:
        folder: Where it is.
        name: Its name, perhaps nothing.
        suffixes: Those of tables.

    Raises:
        FormatError: None is named, and there is none or several.
    """
    if name:
        return folder / name
    tables = sorted(path for suffix in suffixes for path in folder.glob(f"*{suffix}"))
    if len(tables) == 1:
        return tables[0]
    found = ", ".join(table.name for table in tables) or "none"
    raise FormatError(
        f"{folder} must hold one {' or '.join(suffixes)} that says what is in its recordings, but "
        f"holds {found}. Name it with --set table=FILE{suffixes[0]}."
    )
