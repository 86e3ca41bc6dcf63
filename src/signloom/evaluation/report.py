"""Results as a table on the terminal and as JSON with machine, commit, date and command."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from rich.table import Table

from signloom.evaluation.bootstrap import Estimate
from signloom.evaluation.measures import WordMeasures
from signloom.evaluation.spelling import SpellingResult
from signloom.poses.formats.atomic import replacing
from signloom.tokens.spelling import unspell

FIGURES = (
    ("letter_error", "letter error %", 2),
    ("strict_letter_error", "strict %", 2),
    ("exact", "exact %", 1),
    ("doubled_exact", "doubled exact %", 1),
    ("arm_dtw", "DTW arm", 4),
    ("hand_dtw", "DTW hand", 4),
    ("motion_ratio", "motion", 2),
    ("last_third_motion_ratio", "motion, last third", 2),
    ("jerk_ratio_raw", "jerk edge, raw", 2),
    ("jerk_ratio", "jerk edge", 2),
    ("bone_ratio", "bones", 3),
    ("length_ratio", "length", 3),
    ("length_error", "length error %", 1),
    ("exact_passes", "passes exact", 2),
)
WITH_INTERVAL = ("letter_error", "error", "doubled_exact", "pt_dtw", "bleu4", "difference")


@runtime_checkable
class Result(Protocol):
    """What every evaluation gives: rows of figures, dataclasses of numbers and estimates."""

    @property
    def signature(self) -> str:
        """Data and conventions in one line; results of two signatures do not compare."""

    @property
    def summaries(self) -> Mapping[str, Any]:
        """Figures by row."""


def to_table(result: Result, figures: Sequence[tuple[str, str, int]] = FIGURES) -> Table:
    """Draw the figures, one column a system; intervals of those that decide.

    Args:
        result: What was evaluated.
        figures: Attribute, title and digits of each line.
    """
    table = Table(caption=result.signature, caption_justify="left")
    table.add_column("figure", no_wrap=True)
    for name in result.summaries:
        table.add_column(name, justify="right", overflow="fold")
    for figure, title, digits in figures:
        cells = [_cell(summary, figure, digits) for summary in result.summaries.values()]
        table.add_row(title, *cells)
    return table


def to_document(result: Result, *, command: str | None = None) -> dict[str, Any]:
    """Give everything as plain data for JSON; undefined figures are null.

    Args:
        result: What was evaluated.
        command: The command line to name; by default this process's.
    """
    rows: dict[str, dict[str, Any]] = {
        name: {"figures": plain(asdict(summary))} for name, summary in result.summaries.items()
    }
    if isinstance(result, SpellingResult):
        for name, row in rows.items():
            row["failures"] = list(result.failures[name])
            row["misread"] = [_misread(word) for word in result.words[name] if word.letters.errors]
    return {"signature": result.signature, **provenance(command), "rows": rows}


def plain(value: Any) -> Any:
    """Round numbers of figures and bins for JSON; what is not finite becomes None."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, float):
        return round(value, 6) if np.isfinite(value) else None
    return value


def provenance(command: str | None = None) -> dict[str, str]:
    """Say where figures come from: machine, commit, date and command line."""
    return {
        "machine": describe_machine(),
        "commit": find_commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command or " ".join([Path(sys.argv[0]).name, *sys.argv[1:]]),
    }


def save_json(document: dict[str, Any], path: Path) -> None:
    """Write a document whole or not at all, into a folder that exists.

    Raises:
        FormatError: It cannot be written there.
    """
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    with replacing(path) as scratch:
        scratch.write_text(text + "\n", encoding="utf-8")


def describe_machine() -> str:
    """Name processor architecture, cores, system and Python in one line."""
    cores = os.cpu_count()
    return (
        f"{platform.machine()}, {cores} cores, {platform.system()}, "
        f"Python {platform.python_version()}, numpy {np.__version__}"
    )


def find_commit() -> str:
    """Name the commit that the code was run from, or the version that is installed."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    folder = Path(__file__).parent
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        pass
    try:
        return f"signloom {version('signloom')}"
    except PackageNotFoundError:
        return "unknown"


def _cell(summary: Any, figure: str, digits: int) -> str:
    value = getattr(summary, figure)
    if value is None:
        return "-"
    if not isinstance(value, Estimate):
        return f"{value:.{digits}f}" if np.isfinite(value) else "-"
    if not np.isfinite(value.value):
        return "-"
    interval = f"\n[{value.low:.1f}-{value.high:.1f}]" if figure in WITH_INTERVAL else ""
    return f"{value.value:.{digits}f}{interval}"


def _misread(word: WordMeasures) -> dict[str, Any]:
    return {"text": word.text, "read": unspell(word.read), "errors": word.letters.errors}
