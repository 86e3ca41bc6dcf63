from __future__ import annotations

import pytest

from signloom.errors import TextError
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.spelling import spell, unspell

AMERICAN = Alphabet.load("ase")
GERMAN = Alphabet("gsg", "de", (*"abcdefghijklmnopqrstuvwxyzäöüß", "sch"))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("hello", ["h", "e", "l", "<rep>", "o"]),
        ("new york", ["n", "e", "w", " ", "y", "o", "r", "k"]),
        ("aaa", ["a", "<rep>", "<rep>"]),
        ("a a", ["a", " ", "a"]),
        ("a  b", ["a", " ", " ", "b"]),
        ("", []),
    ],
)
def test_spelling_cuts_into_letters_and_marks_doubles(text: str, tokens: list[str]) -> None:
    assert list(spell(text, AMERICAN)) == tokens
    assert unspell(tokens) == text


def test_the_longest_letter_wins() -> None:
    assert spell("schsche", GERMAN) == ("sch", "<rep>", "e")
    assert spell("scs", GERMAN) == ("s", "c", "s")
    assert unspell(("sch", "<rep>", "e")) == "schsche"


def test_a_character_without_a_letter_is_refused_by_name() -> None:
    with pytest.raises(TextError, match="letters of `ase`, but holds 'é'"):
        spell("café", AMERICAN)


def test_unspelling_ignores_padding_and_repetitions_of_nothing() -> None:
    assert unspell(["<rep>", "a", "<pad>", " ", "<rep>", "b"]) == "a b"
