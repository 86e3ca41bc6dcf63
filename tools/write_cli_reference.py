"""Write the reference of the command line from the parser itself.

Usage: python tools/write_cli_reference.py FILE

tests/docs/test_cli_reference.py fails when the file no longer says what `--help` says. The layout
is our own, since that of argparse differs from one Python to the next.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from signloom.cli.app import build_parser

HEADER = """\
# The command line

Written by `make reference` from what `--help` prints. Results go to stdout, progress and notes to
stderr. Every command takes `-h` and `--help`. Exit codes: 0 done; 2 the caller's mistake, said in
one line; 3 a batch finished with some items refused and named; 1 a fault of signloom, with its
trace; 130 interrupted.
"""


def reference() -> str:
    """Return the whole reference as Markdown."""
    return "\n".join([HEADER, *_sections(build_parser(), "")])


def _sections(parser: argparse.ArgumentParser, summary: str) -> Iterator[str]:
    lines = [f"{'#' * (len(parser.prog.split()) + 1)} {parser.prog}", ""]
    text = " ".join((parser.description or "").split()) or f"{summary[:1].upper()}{summary[1:]}."
    lines += [text, ""]
    rows = [row for action in parser._actions if (row := _row(action, parser.prog))]
    if rows:
        lines += ["| Argument | Meaning |", "| --- | --- |", *rows, ""]
    yield "\n".join(lines)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, child in action.choices.items():
                yield from _sections(child, summaries[name])


def _row(action: argparse.Action, prog: str) -> str | None:
    if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
        return None
    if isinstance(action.metavar, tuple):
        values = " ".join(action.metavar)
    elif action.nargs == 0:
        values = ""
    else:
        values = action.metavar or action.dest.upper()
    names = ", ".join(f"`{name}`" for name in action.option_strings)
    value = f"`{values}`".replace("|", "\\|") if values else ""
    meaning = (action.help or "") % {**vars(action), "prog": prog}
    return f"| {' '.join(filter(None, (names, value)))} | {meaning} |"


def main(arguments: list[str]) -> int:
    """Write the reference to the file named."""
    if len(arguments) != 1:
        print("error: name the one file to write", file=sys.stderr)
        return 2
    Path(arguments[0]).write_text(reference(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
