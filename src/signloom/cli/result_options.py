"""The options that say where the texts of a verb go, and what is written beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


def add_text_options(add: Callable[..., Any], *, report: str) -> None:
    """Add `--json` and `-o`.

    Args:
        add: Adds an option.
        report: What the report says beside the text.
    """
    add("--json", action="store_true", help=f"print a report for machines: {report}")
    add(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="write there instead of printing; a name that ends in .json gets the report",
    )


def add_timed_options(add: Callable[..., Any], *, cue: str, verb: str) -> None:
    """Add `--subtitle` and `--timeline`.

    Args:
        add: Adds an option.
        cue: What a subtitle has.
        verb: What is done with a token, such as `signed`.
    """
    add(
        "--subtitle",
        type=Path,
        metavar="FILE",
        help=f"write when {cue} is {verb}; ends in .srt or .vtt",
    )
    add(
        "--timeline",
        type=Path,
        metavar="FILE",
        help=f"draw when each token is {verb} and how sure that is; ends in .png or .svg",
    )
