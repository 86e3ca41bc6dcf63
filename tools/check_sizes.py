"""Refuse files and functions that have outgrown their room, and names that say nothing.

Usage: python tools/check_sizes.py FOLDER ...

A line counts towards a function from `def` to its end, without the docstring: documentation is
never a reason to split. Arguments are counted without `self` and `cls`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_FILE_LINES, WARN_FILE_LINES = 400, 250
MAX_FUNCTION_LINES, WARN_FUNCTION_LINES = 60, 35
MAX_ARGUMENTS = 8
BANNED_NAMES = frozenset({"utils", "util", "helpers", "helper", "misc", "common", "manager"})

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Finding:
    """One thing that is too large or badly named."""

    place: str
    message: str
    fails: bool

    def __str__(self) -> str:
        return f"{'error' if self.fails else 'warning'}: {self.place}: {self.message}"


def check_file(path: Path) -> list[Finding]:
    """Return what is wrong with one Python file."""
    source = path.read_text(encoding="utf-8")
    findings = list(_check_name(path))
    findings += _check_size(
        str(path), "the file", len(source.splitlines()), WARN_FILE_LINES, MAX_FILE_LINES
    )
    for node in ast.walk(ast.parse(source, filename=str(path))):
        if isinstance(node, Function):
            findings += _check_function(path, node)
    return findings


def check_folders(folders: list[Path]) -> list[Finding]:
    """Return what is wrong with every Python file under the folders."""
    paths = sorted(path for folder in folders for path in folder.rglob("*.py"))
    return [finding for path in paths for finding in check_file(path)]


def _check_name(path: Path) -> Iterator[Finding]:
    banned = BANNED_NAMES.intersection([*path.parent.parts, path.stem])
    for name in sorted(banned):
        yield Finding(str(path), f"the name `{name}` says nothing; name what it holds", True)


def _check_function(path: Path, node: Function) -> Iterator[Finding]:
    place, name = f"{path}:{node.lineno}", f"`{node.name}`"
    yield from _check_size(
        place, name, _function_lines(node), WARN_FUNCTION_LINES, MAX_FUNCTION_LINES
    )
    arguments = _count_arguments(node.args)
    if arguments > MAX_ARGUMENTS:
        message = f"{name} takes {arguments} arguments; {MAX_ARGUMENTS} are the most"
        yield Finding(place, message, True)


def _check_size(place: str, what: str, lines: int, warn: int, most: int) -> Iterator[Finding]:
    if lines > warn:
        yield Finding(place, f"{what} has {lines} lines; {most} are the most", lines > most)


def _function_lines(node: Function) -> int:
    first = node.body[0]
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node, clean=False) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def _count_arguments(arguments: ast.arguments) -> int:
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
    return sum(argument.arg not in {"self", "cls"} for argument in named)


def main(arguments: list[str]) -> int:
    """Print the findings; return 1 when one of them fails, 2 for a folder that is not there."""
    folders = [Path(argument) for argument in arguments]
    missing = [str(folder) for folder in folders if not folder.is_dir()]
    if missing or not folders:
        print(f"error: name existing folders, but found {missing or 'none'}", file=sys.stderr)
        return 2
    findings = check_folders(folders)
    for finding in findings:
        print(finding)
    return int(any(finding.fails for finding in findings))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
