"""Captions of letters get their pauses back, and reports of productions are read."""

from __future__ import annotations

import pytest

from signloom.errors import FormatError
from signloom.poses.captions import of_report, with_pauses


def letters(text: str, *, gap: float = 0.5) -> list[tuple[float, float, str]]:
    return [(float(place), place + gap, letter) for place, letter in enumerate(text)]


def spelling(text: str, given: str) -> str:
    return "".join(letter for _, _, letter in with_pauses(letters(text), given))


def test_words_are_divided_by_a_pause_that_fills_the_gap() -> None:
    captions = with_pauses(letters("hellonewyork"), "hello new york")
    assert "".join(text for _, _, text in captions) == "hello new york"
    assert captions[5] == (4.5, 5, " ")


def test_letters_of_several_characters_and_overlapping_spans_keep_in_order() -> None:
    captions = with_pauses([(0.0, 1.2, "sch"), (1.0, 2.0, "ä")], "sch ä")
    assert captions == ((0.0, 1.2, "sch"), (1.0, 1.0, " "), (1.0, 2.0, "ä"))


@pytest.mark.parametrize("text", ["", "x y", "abd", " ab"])
def test_a_text_that_disagrees_adds_no_pause(text: str) -> None:
    assert spelling("abc", text) == "abc"


def test_a_report_gives_letters_and_pauses() -> None:
    spans = [{"letter": name, "start_s": start, "end_s": end} for start, end, name in letters("ab")]
    assert of_report({"spelled": "a b", "spans": spans})[1] == (0.5, 1.0, " ")
    assert len(of_report({"spans": spans})) == 2
    assert of_report({}) == ()


@pytest.mark.parametrize(
    "spans",
    [
        {},
        [1],
        [{"letter": "a", "start_s": 0}],
        [{"letter": "a", "start_s": "0", "end_s": 1}],
        [{"letter": 1, "start_s": 0, "end_s": 1}],
        [{"letter": "a", "start_s": 1, "end_s": 0}],
        [{"letter": "a", "start_s": 0, "end_s": float("inf")}],
        [{"letter": "a", "start_s": 0, "end_s": 10**400}],
    ],
)
def test_wrong_spans_are_refused(spans: object) -> None:
    with pytest.raises(FormatError, match=r"spans|Captions"):
        of_report({"spans": spans})
