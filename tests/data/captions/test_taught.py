"""A teacher's captions are read whole, or the line that does not hold is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.data.captions import taught
from signloom.data.captions.taught import read_taught
from signloom.errors import FormatError

HEADER = '{"teacher": "x", "beam": 2, "best": 2}\n'


def test_captions_are_read_by_their_pictures(tmp_path: Path) -> None:
    path = tmp_path / "taught.jsonl"
    path.write_text(HEADER + '{"name": "a", "captions": ["a dog", "one"]}\n{"name": "b')
    assert read_taught(path) == {"a": (("a", "dog"), ("one",))}


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{}",
        '{"name": 3, "captions": ["a"]}',
        '{"name": "a", "captions": []}',
        '{"name": "a", "captions": "a dog"}',
        '{"name": "a", "captions": [3]}',
        "[" * 100_000,
    ],
)
def test_a_line_that_does_not_hold_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "taught.jsonl"
    path.write_text(f"{HEADER}{line}\n")
    with pytest.raises(FormatError, match=r"taught\.jsonl line 2 must be"):
        read_taught(path)


def test_a_file_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taught, "MAX_BYTES", 20)
    path = tmp_path / "taught.jsonl"
    path.write_text(HEADER)
    with pytest.raises(FormatError, match="must have at most 20 bytes, but has"):
        read_taught(path)
