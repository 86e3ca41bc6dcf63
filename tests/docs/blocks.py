"""Fenced blocks of a Markdown document, and how each is to be tested.

A block is run as it stands, unless the line before its fence is a comment:

    <!-- run: COMMAND -->       run this instead: the same thing on a toy
    <!-- tested: FILE -->       do not run: that test covers it
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r"^(?:<!-- (?P<verb>run|tested): (?P<note>[^\n]+?) -->\n)?"
    r"^```(?P<language>\S*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    line: int
    language: str
    body: str
    instead: str | None
    tested_by: str | None


@dataclass(frozen=True)
class Command:
    """One command of a `console` block and what it is said to print."""

    line: str
    output: str


def read_blocks(path: Path) -> list[Block]:
    """Return the blocks of a document in order."""
    text = path.read_text(encoding="utf-8")
    return [
        Block(
            line=text.count("\n", 0, match.start()) + 1,
            language=match["language"],
            body=match["body"],
            instead=match["note"] if match["verb"] == "run" else None,
            tested_by=match["note"] if match["verb"] == "tested" else None,
        )
        for match in _BLOCK.finditer(text)
    ]


def read_commands(block: Block) -> list[Command]:
    """Split a `console` block into its commands.

    Raises:
        ValueError: The block does not begin with a command.
    """
    body = f"$ {block.instead}\n" if block.instead else block.body
    if not body.startswith("$ "):
        raise ValueError(f"line {block.line}: a console block must begin with `$ `")
    parts = re.split(r"^\$ ", body.replace("\\\n", " "), flags=re.MULTILINE)[1:]
    split = [part.partition("\n") for part in parts]
    return [Command(line, output) for line, _, output in split]
