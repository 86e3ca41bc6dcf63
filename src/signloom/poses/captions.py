"""Captions: what is signed when, as pictures and films write it under the figure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from signloom.errors import FormatError

Caption = tuple[float, float, str]
"""Start and end in seconds, and what is signed meanwhile; white space ends a word."""


def with_pauses(letters: Iterable[Caption], text: str) -> tuple[Caption, ...]:
    """Put a pause between words into captions that have letters only.

    Args:
        letters: Captions in order.
        text: What they spell. Where the two disagree, no pause is added.

    Example:
        >>> with_pauses([(0.0, 0.4, "a"), (0.8, 1.2, "b")], "a b")
        ((0.0, 0.4, 'a'), (0.4, 0.8, ' '), (0.8, 1.2, 'b'))
    """
    captions: list[Caption] = []
    rest = 0
    for start, end, letter in letters:
        after = rest
        while text[after : after + 1].isspace():
            after += 1
        if text.startswith(letter, after):
            if after > rest and captions:
                captions.append((min(captions[-1][1], start), start, " "))
            rest = after + len(letter)
        captions.append((start, end, letter))
    return tuple(captions)


def of_report(report: Mapping[str, Any]) -> tuple[Caption, ...]:
    """Give the captions of a report as `signloom produce` writes it; none without `spans`.

    Raises:
        FormatError: `spans` does not hold what it must.
    """
    text = report.get("spelled")
    spans = report.get("spans", [])
    if not isinstance(spans, list):
        raise FormatError(f"`spans` must be a list, but is {str(spans)[:40]}.")
    captions = tuple(_caption(span) for span in spans)
    check_captions(captions)
    return with_pauses(captions, text if isinstance(text, str) else "")


def check_captions(captions: Sequence[Caption]) -> None:
    """Refuse captions that are out of order.

    Raises:
        FormatError: A caption ends before it starts or starts before the one before it.
    """
    before = 0.0
    for start, end, text in captions:
        if not before <= start <= end < math.inf:
            raise FormatError(
                f"Captions must be in order and end after they start, but `{text}` runs from "
                f"{start:g} s to {end:g} s after one that starts at {before:g} s."
            )
        before = start


def _caption(span: object) -> Caption:
    match span:
        case {
            "letter": str(letter),
            "start_s": int() | float() as start,
            "end_s": int() | float() as end,
        }:
            try:
                return float(start), float(end), letter
            except OverflowError:
                pass
    raise FormatError(
        "Every one of `spans` must have `letter`, `start_s` and `end_s` in seconds, "
        f"but one is {str(span)[:80]}."
    )
