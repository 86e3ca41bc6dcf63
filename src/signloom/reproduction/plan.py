"""What a table or a figure takes, and the carrying out of it: rows first, then the whole.

<folder>/table1/<hash>.json   a row
<folder>/table1.json, .md     the table, once every row is there
<folder>/figure4a.png         the picture of a figure
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from signloom.evaluation.report import provenance, save_json
from signloom.poses.formats.atomic import check_folder, check_writable, replacing
from signloom.reproduction.grid import Grid
from signloom.reproduction.rows import Row, measure_row, read_row

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the caller says beside the number of a table or figure.

    Attributes:
        overrides: `section.key=value` texts.
        models: Model packages by the name of their row.
        text: What the models sign.
        folder: Where everything goes.
    """

    overrides: Sequence[str] = ()
    models: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    folder: Path = Path("reproductions")


@dataclass(frozen=True, kw_only=True)
class Report:
    """A finished table or figure.

    Attributes:
        grid: What is printed.
        facts: What goes into the JSON beside the rows.
        draw: Draws the figure as a PNG at a path; None for a table.
    """

    grid: Grid
    facts: Mapping[str, Any] = field(default_factory=dict)
    draw: Callable[[Path], None] | None = None


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a table or figure takes.

    Attributes:
        name: Name of its files.
        rows: What is measured, one after the other.
        finish: Makes the whole of the rows' documents.
    """

    name: str
    rows: tuple[Row, ...]
    finish: Callable[[list[dict[str, Any]]], Report]


Planner = Callable[[Request], Plan]
"""Checks a request and plans what it asks for, before anything is measured."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a plan came to.

    Attributes:
        report: The whole.
        document: The same as plain data.
        files: What was written, rows aside.
        measured: Rows that were measured now; the others were there.
    """

    report: Report
    document: dict[str, Any]
    files: tuple[Path, ...]
    measured: int


def carry_out(
    plan: Plan,
    folder: Path,
    *,
    command: str,
    overwrite: bool = False,
    advance: Callable[[int], object] = lambda _: None,
) -> Outcome:
    """Measure the rows that are not there yet, and write the whole.

    Args:
        plan: What is to be done.
        folder: Where everything goes; it is made.
        command: The command line to name.
        overwrite: Measure every row anew.
        advance: Called with 1 after each row.

    Raises:
        FormatError: The folder cannot be made or written into.
    """
    rows_folder = folder / plan.name
    check_folder(rows_folder)
    (rows_folder if plan.rows else folder).mkdir(parents=True, exist_ok=True)
    for file in _files(plan.name, folder):
        check_writable(file)
    documents, measured = [], 0
    for row in plan.rows:
        document = None if overwrite else read_row(row, rows_folder)
        if document is None:
            _logger.info("measuring %s", row.name)
            document = measure_row(row, rows_folder, command=command)
            measured += 1
        documents.append(document)
        advance(1)
    report = plan.finish(documents)
    whole: dict[str, Any] = {"name": plan.name, "title": report.grid.title}
    whole |= {**provenance(command), **report.facts, "notes": list(report.grid.notes)}
    if plan.rows:
        whole["rows"] = documents
    files = _write(plan.name, report, whole, folder)
    return Outcome(report=report, document=whole, files=files, measured=measured)


def _files(name: str, folder: Path) -> tuple[Path, Path, Path]:
    return folder / f"{name}.json", folder / f"{name}.md", folder / f"{name}.png"


def _write(name: str, report: Report, whole: dict[str, Any], folder: Path) -> tuple[Path, ...]:
    table, text, picture = _files(name, folder)
    save_json(whole, table)
    with replacing(text) as scratch:
        scratch.write_text(report.grid.to_markdown(), encoding="utf-8")
    if report.draw is None:
        return table, text
    with replacing(picture) as scratch:
        report.draw(scratch)
    return table, text, picture
