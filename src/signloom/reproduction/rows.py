"""A row of a table: what is measured, and the file that its result lies in.

The file is named after a hash of the row's configuration, so a row is measured once and again only
when its configuration changes. It is written whole or not at all: a run that is killed loses the
row that it was at, no more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from signloom.evaluation.report import provenance, save_json

HASH_DIGITS = 16


@dataclass(frozen=True, kw_only=True)
class Row:
    """Something to be measured.

    Attributes:
        name: What it is called in the table.
        config: A frozen dataclass: everything that the result depends on.
        measure: Gives the result of a config, as plain data.
    """

    name: str
    config: Any
    measure: Callable[[Any], dict[str, Any]]

    @property
    def identity(self) -> dict[str, Any]:
        """The kind of the configuration and its values, as JSON would give them back."""
        values = {"kind": type(self.config).__name__, "config": asdict(self.config)}
        plain: dict[str, Any] = json.loads(json.dumps(values))
        return plain

    @property
    def hash(self) -> str:
        """What the row's file is named after."""
        text = json.dumps(self.identity, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:HASH_DIGITS]

    def file(self, folder: Path) -> Path:
        """Name the row's file in a folder of rows."""
        return folder / f"{self.hash}.json"


def read_row(row: Row, folder: Path) -> dict[str, Any] | None:
    """Read what was measured before; None if it was not, or if the file holds something else."""
    try:
        document = json.loads(row.file(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or not isinstance(document.get("result"), dict):
        return None
    same = all(document.get(key) == value for key, value in row.identity.items())
    return document if same else None


def measure_row(row: Row, folder: Path, *, command: str) -> dict[str, Any]:
    """Measure a row and write its file.

    Args:
        row: What is measured.
        folder: Where the file goes; it exists.
        command: The command line that asked for it.
    """
    result = row.measure(row.config)
    document = {"name": row.name, **row.identity, "result": result, **provenance(command)}
    save_json(document, row.file(folder))
    return document
