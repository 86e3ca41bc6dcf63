"""Numbers are said in the language that is spelled."""

from __future__ import annotations

import pytest

from signloom.tokens.counting import LANGUAGES, can_count, count_in


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("7 Zwerge", "de", "sieben Zwerge"),
        ("1.000 und 10", "de", "eintausend und zehn"),
        ("3,5", "pt", "três vírgula cinco"),
        ("A4", "es", "A cuatro "),
        ("007", "lt", "nulis nulis septyni"),
        ("21", "uk", "двадцять один"),
    ],
)
def test_numbers_become_words(text: str, language: str, said: str) -> None:
    assert count_in(text, language)[0] == said.rstrip() or count_in(text, language)[0] == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_can_say_every_digit(language: str) -> None:
    words, notes = count_in(" ".join("0123456789"), language)
    assert not any(char.isdigit() for char in words)
    assert len(notes) == 10
    assert can_count(language)
    assert not can_count("xx")


def test_an_endless_number_is_said_digit_by_digit() -> None:
    assert count_in("1" * 40, "de")[0].split() == ["eins"] * 40
