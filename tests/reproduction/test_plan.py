"""Rows are measured once, survive a kill, and follow their configuration."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from signloom.errors import FormatError
from signloom.reproduction.grid import Grid
from signloom.reproduction.plan import Outcome, Plan, Report, carry_out
from signloom.reproduction.rows import Row


@dataclass(frozen=True, kw_only=True)
class Square:
    number: int
    sizes: tuple[int, ...] = (3, 5)


Work = Callable[..., Outcome]


@pytest.fixture
def measured() -> list[int]:
    """The numbers that were squared, in order."""
    return []


@pytest.fixture
def work(tmp_path: Path, measured: list[int]) -> Work:
    """Square numbers; the number 13 kills the run."""

    def measure(config: Square) -> dict[str, Any]:
        if config.number == 13:
            raise KeyboardInterrupt
        measured.append(config.number)
        return {"square": config.number**2}

    def finish(rows: list[dict[str, Any]]) -> Report:
        lines = tuple((row["name"], str(row["result"]["square"])) for row in rows)
        return Report(grid=Grid(title="Squares", columns=("number", "square"), lines=lines))

    def run(*numbers: int, overwrite: bool = False, **changes: Any) -> Outcome:
        rows = tuple(
            Row(name=f"n {number}", config=Square(number=number, **changes), measure=measure)
            for number in numbers
        )
        plan = Plan(name="squares", rows=rows, finish=finish)
        return carry_out(plan, tmp_path / "out", command="squares", overwrite=overwrite)

    return run


def test_rows_that_are_there_are_skipped(work: Work, measured: list[int]) -> None:
    first = work(3, 5)
    second = work(3, 5, 7)
    assert measured == [3, 5, 7]
    assert (first.measured, second.measured) == (2, 1)
    assert second.document["rows"][:2] == first.document["rows"]


def test_a_row_is_measured_anew_when_its_configuration_changes(
    work: Work, measured: list[int], tmp_path: Path
) -> None:
    work(3, 5)
    work(3, 5, sizes=(3, 7))
    work(3, 5)
    assert measured == [3, 5, 3, 5]
    assert len(list((tmp_path / "out/squares").iterdir())) == 4


def test_overwriting_measures_every_row(work: Work, measured: list[int]) -> None:
    work(3, 5)
    assert work(3, 5, overwrite=True).measured == 2
    assert measured == [3, 5, 3, 5]


def test_a_killed_run_leaves_what_it_has_finished(
    work: Work, measured: list[int], tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        work(3, 5, 13, 7)
    folder = tmp_path / "out"
    assert [path.name for path in folder.iterdir()] == ["squares"]
    rows = [json.loads(path.read_text()) for path in (folder / "squares").iterdir()]
    assert sorted(row["result"]["square"] for row in rows) == [9, 25]
    assert work(3, 5, 7).measured == 1
    assert measured == [3, 5, 7]


@pytest.mark.parametrize(
    "content", ["", "[]", '{"result": 3}', '{"result": {"square": 4}}', "[" * 100_000]
)
def test_a_row_of_something_else_is_measured_anew(
    work: Work, measured: list[int], tmp_path: Path, content: str
) -> None:
    work(3)
    [file] = (tmp_path / "out/squares").iterdir()
    file.write_text(content)
    assert work(3).document["rows"][0]["result"] == {"square": 9}
    assert measured == [3, 3]


def test_a_row_says_where_it_comes_from(work: Work, tmp_path: Path) -> None:
    work(3)
    [file] = (tmp_path / "out/squares").iterdir()
    row = json.loads(file.read_text())
    assert row["config"] == {"number": 3, "sizes": [3, 5]}
    assert row["command"] == "squares"
    assert {"machine", "commit", "date"} <= set(row)


def test_the_whole_is_written_as_json_and_markdown(work: Work, tmp_path: Path) -> None:
    done = work(3, 11)
    assert [file.name for file in done.files] == ["squares.json", "squares.md"]
    assert json.loads(done.files[0].read_text()) == done.document
    assert "| n 11 | 121 |" in done.files[1].read_text()


def test_a_place_that_cannot_be_written_to_is_refused_before_the_work(
    work: Work, measured: list[int], tmp_path: Path
) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(FormatError, match="is a file"):
        work(3)
    (tmp_path / "out").unlink()
    (tmp_path / "out/squares.json").mkdir(parents=True)
    with pytest.raises(FormatError, match="is a folder"):
        work(3)
    assert measured == []
