"""A bar is drawn for long work, and only where someone can see it."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import pytest

from signloom.cli.progress import progress
from tests.cli.conftest import Run


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[bytearray]:
    """Make standard error a terminal; give what it has shown, complete once it is closed."""
    screen, program = pty.openpty()
    shown = bytearray()
    reader = Thread(target=read_all, args=(screen, shown), daemon=True)
    reader.start()
    with os.fdopen(program, "w", encoding="utf-8") as stderr, monkeypatch.context() as patch:
        patch.setenv("TERM", "xterm")
        patch.setattr("sys.stderr", stderr)
        yield shown
    reader.join(timeout=10)
    os.close(screen)


def read_all(screen: int, shown: bytearray) -> None:
    with suppress(OSError):  # that is how a terminal ends
        while data := os.read(screen, 4096):
            shown += data


@pytest.mark.parametrize(("total", "shown"), [(3, "2/3"), (None, "spell")])
def test_a_terminal_shows_a_bar(
    monkeypatch: pytest.MonkeyPatch, total: int | None, shown: str
) -> None:
    with terminal(monkeypatch) as screen, progress("spell", total) as advance:
        advance(2)
    assert shown in screen.decode()


@pytest.mark.parametrize("wanted", [True, False])
def test_no_bar_is_drawn_for_short_work_or_into_a_file(
    capsys: pytest.CaptureFixture[str], wanted: bool
) -> None:
    with progress("spell", 3, wanted=wanted) as advance:
        advance(3)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("words", "is_shown"), [(30, True), (2, False)])
def test_a_text_of_many_passages_is_worth_a_bar(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: int, is_shown: bool
) -> None:
    with terminal(monkeypatch) as screen:
        assert run("produce", "letters " * words, "--model", "tiny", "-o", "a.pose").code == 0
    assert (f"{words}/{words}" in screen.decode()) is is_shown
    assert "fingerspelling" in screen.decode()


def test_a_long_film_is_worth_a_bar(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch) as screen:
        assert run("produce", "letters " * 6, "--model", "tiny", "-o", "a.gif").code == 0
    assert "draw a.gif" in screen.decode()
