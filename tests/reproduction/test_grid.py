"""Tables for the terminal and for Markdown."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from signloom.reproduction.grid import Grid

GRID = Grid(
    title="Title",
    columns=("name", "ms"),
    lines=(("a | b", "3.0"), ("c", "[5-7]")),
    notes=("One.", "Two."),
)


def test_markdown_keeps_bars_apart_from_cells_and_lists_the_notes() -> None:
    text = GRID.to_markdown()
    assert "| a \\| b | 3.0 |\n| c | [5-7] |" in text
    assert text.endswith("\n\n- One.\n- Two.\n")


def test_the_terminal_shows_brackets_as_they_are() -> None:
    console = Console(file=StringIO(), width=40)
    console.print(GRID.to_rich())
    assert "[5-7]" in console.file.getvalue()
