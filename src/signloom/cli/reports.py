"""Where the report of an evaluation goes: a table or JSON on standard output, and a file."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from typing import Any

from signloom.cli.outputs import answer_json, note


def check_report(options: Namespace) -> None:
    """Refuse, before any work is done, a file that could not be written.

    Raises:
        FormatError: `--output` cannot be written to.
    """
    from signloom.poses.formats.atomic import check_writable

    if options.output:
        check_writable(options.output)


def tell_report(document: dict[str, Any], table: Any, options: Namespace) -> None:
    """Write a report to `--output`, and print it as `--json` wants it."""
    from rich.console import Console

    from signloom.evaluation.report import save_json

    if options.output:
        save_json(document, options.output)
        note(f"wrote {options.output}")
    if options.json:
        answer_json(document)
    else:
        Console().print(table)


def command_line() -> str:
    """Give the command that is running, as a person would type it."""
    return shlex.join(["signloom", *sys.argv[1:]])
