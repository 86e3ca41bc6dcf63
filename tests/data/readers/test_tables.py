from __future__ import annotations

import os

import pytest

from signloom.data.readers.tables import read_lines, read_table
from signloom.errors import FormatError


def test_rows_keep_the_line_they_begin_at_across_quoted_line_ends(tmp_path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('file,text\r\na,"one\ntwo, three"\r\n\r\nb,four\r\n', encoding="utf-8-sig")
    rows, faults = read_table(path, ("file", "text"))
    assert [(place.line, fields) for place, fields in rows] == [
        (2, {"file": "a", "text": "one\ntwo, three"}),
        (5, {"file": "b", "text": "four"}),
    ]
    assert faults == []


def test_a_row_of_another_width_is_a_fault_with_its_line(tmp_path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("file,text\na,b\na\na,b,c\n")
    rows, faults = read_table(path, ("file",))
    assert len(rows) == 1
    assert [str(fault).removeprefix(str(tmp_path)) for fault in faults] == [
        "/t.csv line 3: must have 2 fields as the header has, but has 1",
        "/t.csv line 4: must have 2 fields as the header has, but has 3",
    ]


def test_a_bar_parts_fields_and_quotes_are_letters(tmp_path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('name|text\na|so "gut\nb|wie " nie\n')
    rows, _ = read_table(path, ("name",), delimiter="|")
    assert [fields["text"] for _, fields in rows] == ['so "gut', 'wie " nie']


@pytest.mark.parametrize(
    ("content", "claim"),
    [
        (b"", "lacks `file`"),
        (b"name,text\n", "lacks `file`"),
        (b"file,text,text\n", "repeats `text`"),
        (b"file,text\n\xff\xfe,a\n", "must be UTF-8 text, but byte 10 is not"),
        (b'file,text\na,"' + b"x" * 200_000 + b'"\n', "line 2 is no row"),
        (b'file,text\na,b\nc,"never closed\nd,e\nf,g\n', "line 3 is no row"),
    ],
)
def test_a_table_that_does_not_hold_is_one_line(tmp_path, content: bytes, claim: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=claim) as caught:
        read_table(path, ("file", "text"))
    assert "\n" not in str(caught.value)


def test_a_device_or_pipe_is_refused_unread(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "endless.csv").symlink_to("/dev/zero")
    for name in ("pipe", "endless"):
        with pytest.raises(FormatError, match=rf"{name}\.csv must be a plain file"):
            read_lines(tmp_path / f"{name}.csv")


def test_a_missing_file_is_named(tmp_path) -> None:
    with pytest.raises(FormatError, match=r"no\.txt cannot be read: No such file"):
        read_lines(tmp_path / "no.txt")


def test_the_end_of_the_last_line_is_no_line(tmp_path) -> None:
    (tmp_path / "a").write_bytes(b"one\n\ntwo\n")
    (tmp_path / "b").write_bytes(b"one\n\ntwo")
    (tmp_path / "c").write_bytes(b"")
    assert read_lines(tmp_path / "a") == read_lines(tmp_path / "b") == ["one", "", "two"]
    assert read_lines(tmp_path / "c") == []
