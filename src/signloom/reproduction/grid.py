"""Cells in rows and columns, for the terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.table import Table


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A table of texts.

    Attributes:
        title: What it shows.
        columns: Titles; the first column names the rows.
        lines: Cells of each row.
        notes: What a reader must know, a sentence each.
    """

    title: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def to_rich(self) -> Table:
        """Draw it for the terminal."""
        table = Table(title=self.title, caption="\n".join(self.notes), caption_justify="left")
        for number, column in enumerate(self.columns):
            table.add_column(
                column,
                justify="right" if number else "left",
                no_wrap=not number,
                overflow="fold",
            )
        for line in self.lines:
            table.add_row(*line)
        return table

    def to_markdown(self) -> str:
        """Write it as Markdown.

        Example:
            >>> print(Grid(title="T", columns=("a", "b"), lines=(("x", "1"),)).to_markdown())
            # T
            <BLANKLINE>
            | a | b |
            | --- | --: |
            | x | 1 |
            <BLANKLINE>
        """
        rule = ["---", *["--:"] * (len(self.columns) - 1)]
        table = [_line(cells) for cells in (self.columns, rule, *self.lines)]
        blocks = [f"# {self.title}", "\n".join(table)]
        if self.notes:
            blocks.append("\n".join(f"- {note}" for note in self.notes))
        return "\n\n".join(blocks) + "\n"


def _line(cells: Iterable[str]) -> str:
    escaped = (cell.replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
