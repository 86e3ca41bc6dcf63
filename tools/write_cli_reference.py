"""Write the reference of the command line from the commands themselves.

Usage: python tools/write_cli_reference.py FILE

tests/docs/test_cli_reference.py fails when the file no longer says what `--help` says.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

from signloom.cli.app import app

WIDTH = 80
HEADER = """\
# The command line

Written by `make reference` from what `--help` prints. Results go to stdout, progress and notes to
stderr. Exit codes: 0 done; 2 the caller's mistake, said in one line; 3 a batch finished with some
items refused and named; 1 a fault of signloom, with its trace; 130 interrupted.
"""


def reference() -> str:
    """Return the whole reference as Markdown."""
    sections = [HEADER]
    for context in _walk("signloom", get_command(app)):
        level = "#" * (len(context.command_path.split()) + 1)
        sections.append(f"{level} {context.command_path}\n\n```text\n{_help(context)}\n```\n")
    return "\n".join(sections)


def _walk(name: str, command: Any, *, parent: Any = None) -> Iterator[typer.Context]:
    context = typer.Context(command, info_name=name, parent=parent, **command.context_settings)
    yield context
    if hasattr(command, "list_commands"):
        for child in command.list_commands(context):
            yield from _walk(child, command.get_command(context, child), parent=context)


def _help(context: typer.Context) -> str:
    context.terminal_width = context.max_content_width = WIDTH
    lines = context.command.get_help(context).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()


def main(arguments: list[str]) -> int:
    """Write the reference to the file named."""
    if len(arguments) != 1:
        print("error: name the one file to write", file=sys.stderr)
        return 2
    Path(arguments[0]).write_text(reference(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
