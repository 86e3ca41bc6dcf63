"""A bar is drawn for long work, and only where someone can see it."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator

import pytest

from signloom.cli.progress import progress
from tests.cli.conftest import Run


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Make standard error a terminal; give the end that a person looks at."""
    screen, program = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    with os.fdopen(program, "w", encoding="utf-8") as stderr:
        monkeypatch.setattr("sys.stderr", stderr)
        yield screen
    os.close(screen)


@pytest.mark.parametrize(("total", "shown"), [(3, "2/3"), (None, "spell")])
def test_a_terminal_shows_a_bar(terminal: int, total: int | None, shown: str) -> None:
    with progress("spell", total) as advance:
        advance(2)
    assert shown in os.read(terminal, 100_000).decode()


@pytest.mark.parametrize("wanted", [True, False])
def test_no_bar_is_drawn_for_short_work_or_into_a_file(
    capsys: pytest.CaptureFixture[str], wanted: bool
) -> None:
    with progress("spell", 3, wanted=wanted) as advance:
        advance(3)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("words", "is_shown"), [(30, True), (2, False)])
def test_a_text_of_many_passages_is_worth_a_bar(
    run: Run, terminal: int, words: int, is_shown: bool
) -> None:
    assert run("produce", "letters " * words, "--model", "tiny", "-o", "a.pose").code == 0
    screen = os.read(terminal, 100_000).decode()
    assert (f"{words}/{words}" in screen) is is_shown
    assert "fingerspelling" in screen


def test_a_long_film_is_worth_a_bar(run: Run, terminal: int) -> None:
    assert run("produce", "letters " * 6, "--model", "tiny", "-o", "a.gif").code == 0
    assert "draw a.gif" in os.read(terminal, 100_000).decode()
