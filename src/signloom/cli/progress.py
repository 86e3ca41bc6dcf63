"""Progress of long work, drawn on standard error where someone can see it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(
    what: str, total: int | None, *, wanted: bool = True
) -> Iterator[Callable[[int], None]]:
    """Draw a bar while something is done; give the function that says how much more is.

    Args:
        what: Name of the work.
        total: Steps that it takes; None if nobody knows, and then the bar only moves.
        wanted: Whether the work is long enough for a bar.
    """
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    label = TextColumn("{task.description}", markup=False)
    counted = (label, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    columns = (label, BarColumn(), TimeElapsedColumn()) if total is None else counted
    console = Console(stderr=True)
    with Progress(*columns, console=console, redirect_stdout=False, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count: bar.advance(task, count)
