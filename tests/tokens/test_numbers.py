from __future__ import annotations

import pytest

from signloom.tokens.numbers import cardinal, ordinal, spell_numbers


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0", "zero"),
        ("10", "ten"),
        ("13", "thirteen"),
        ("42", "forty two"),
        ("100", "one hundred"),
        ("1999", "one thousand nine hundred ninety nine"),
        ("1,000", "one thousand"),
        ("1,000, then", "one thousand, then"),
        ("1,234,567", "one million two hundred thirty four thousand five hundred sixty seven"),
        ("1000000000000000", "one quadrillion"),
        ("1000000000000001", "one" + " zero" * 14 + " one"),
        ("007", "zero zero seven"),
        ("3.5", "three point five"),
        ("3.05", "three point zero five"),
        (".5", "point five"),
        ("5.", "five."),
        ("1.2.10", "one point two point ten"),
        ("-5", "minus five"),
        ("−.5", "minus point five"),
        ("3-5", "three five"),
        ("555-1234", "five five five one two three four"),
        ("-555-12", "-five five five one two"),
        ("2020‑21", "two zero two zero two one"),
        ("1.5-2", "one point five-two"),
        ("1-2.5", "one-two point five"),
        ("1-2nd", "one-second"),
        ("1990–99", "one thousand nine hundred ninety–ninety nine"),
        ("½ cup", "one half cup"),
        ("1½ cups", "one and one half cups"),
        ("2 ¾", "two and three quarters"),
        ("⅓ ⅔ ¼", "one third two thirds one quarter"),
        ("1st, 2nd,3rd", "first, second,third"),
        ("11TH", "eleventh"),
        ("90s", "ninety s"),
        ("02nd", "zero two nd"),
        ("1,23", "one,twenty three"),
        ("b2b", "b two b"),
        ("No.5", "No.five"),
        ("none", "none"),
    ],
)
def test_numbers_are_spelled_as_one_says_them(text: str, words: str) -> None:
    assert spell_numbers(text, "en")[0] == words


def test_every_number_is_noted() -> None:
    assert spell_numbers("3.5 of 7", "en")[1] == ["3.5 -> three point five", "7 -> seven"]
    assert spell_numbers("55-12", "en")[1] == ["55-12 -> five five one two"]
    assert spell_numbers("½", "en")[1] == ["½ -> one half"]


def test_a_language_that_is_not_known_keeps_its_digits() -> None:
    assert spell_numbers("7 νάνοι", "el") == ("7 νάνοι", [])


def test_cardinals_of_all_sizes_are_made_of_known_words() -> None:
    assert cardinal(10**15 - 1).count("nine hundred ninety nine") == 5
    assert len({cardinal(number) for number in range(2_000)}) == 2_000


def test_ordinals_end_as_they_must() -> None:
    numbers = (1, 2, 3, 5, 8, 9, 12, 20, 21, 100, 1_000_000)
    assert [ordinal(number).split()[-1] for number in numbers] == [
        *("first", "second", "third", "fifth", "eighth", "ninth", "twelfth", "twentieth"),
        *("first", "hundredth", "millionth"),
    ]


def test_a_very_long_number_is_read_in_reasonable_time() -> None:
    assert spell_numbers("1-" * 10_000 + "1.5", "en")[0].count("one") == 10_001
    assert spell_numbers("1" * 10_000, "en")[0].count("one") == 10_000
