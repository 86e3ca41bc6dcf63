"""Subtitles are written as players read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.errors import FormatError
from signloom.poses.subtitles import write_subtitles

CUES = ((0.25, 1.5, "hello"), (3661.5, 3662.0, "new --> york"))


def test_srt_has_numbers_and_commas(tmp_path: Path) -> None:
    write_subtitles(CUES, tmp_path / "x.srt")
    assert (tmp_path / "x.srt").read_text() == (
        "1\n00:00:00,250 --> 00:00:01,500\nhello\n\n2\n01:01:01,500 --> 01:01:02,000\nnew -> york\n"
    )


def test_vtt_has_a_header_and_points(tmp_path: Path) -> None:
    write_subtitles(CUES[:1], tmp_path / "x.VTT")
    assert (tmp_path / "x.VTT").read_text() == (
        "WEBVTT\n\n1\n00:00:00.250 --> 00:00:01.500\nhello\n"
    )


@pytest.mark.parametrize("name", ["x.txt", "x", "nowhere/x.srt"])
def test_a_place_for_no_subtitles_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError, match=name.partition("/")[0]):
        write_subtitles(CUES, tmp_path / name)


def test_cues_out_of_order_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="in order"):
        write_subtitles(CUES[::-1], tmp_path / "x.srt")
    assert not (tmp_path / "x.srt").exists()
