"""Subtitles: what is signed or said when, as `.srt` or `.vtt` that any player shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from signloom.errors import FormatError
from signloom.poses.captions import Caption, check_captions
from signloom.poses.formats.atomic import check_writable, replacing

SUFFIXES = (".srt", ".vtt")


def check_subtitles(path: Path) -> None:
    """Refuse a place where no subtitles can be written.

    Raises:
        FormatError: The suffix is unknown or the place cannot be written to.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise FormatError(f"Subtitles must end in .srt or .vtt, but {path} does not.")
    check_writable(path)


def write_subtitles(cues: Sequence[Caption], path: Path) -> None:
    """Write cues, in order; the file appears whole or not at all.

    Args:
        cues: Start and end in seconds, and the text shown meanwhile.
        path: Ends in `.srt` or `.vtt`.

    Raises:
        FormatError: The suffix is unknown, cues are out of order, or the place cannot be written.
    """
    check_subtitles(path)
    check_captions(cues)
    is_web = path.suffix.lower() == ".vtt"
    mark = "." if is_web else ","
    blocks = ["WEBVTT"] if is_web else []
    for number, (start, end, text) in enumerate(cues, 1):
        line = " ".join(text.split()).replace("-->", "->")
        blocks.append(f"{number}\n{clock(start, mark)} --> {clock(end, mark)}\n{line}")
    with replacing(path) as scratch:
        scratch.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def clock(time_s: float, mark: str) -> str:
    """Write a time as hours, minutes, seconds and milliseconds.

    Example:
        >>> clock(3725.5, ",")
        '01:02:05,500'
    """
    milliseconds = round(time_s * 1000)
    seconds, thousandths = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}{mark}{thousandths:03d}"
