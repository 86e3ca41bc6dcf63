from __future__ import annotations

import pytest

from signloom.errors import TextError
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.vocabulary import Vocabulary


def test_the_american_alphabet_has_26_letters_in_order() -> None:
    assert "".join(Alphabet.load("ase").letters) == "abcdefghijklmnopqrstuvwxyz"


def test_an_unknown_language_is_refused_and_the_known_ones_named() -> None:
    with pytest.raises(TextError, match=r"must be one of ase, .*, ukl, but is .xyz."):
        Alphabet.load("xyz")


@pytest.mark.parametrize("letters", [(), ("a", ""), ("a", " "), ("a", "<rep>")])
def test_letters_that_cannot_be_letters_are_refused(letters: tuple[str, ...]) -> None:
    with pytest.raises(TextError, match="must hold letters"):
        Alphabet("xyz", "en", letters)


def test_an_alphabet_comes_back_out_of_its_vocabulary() -> None:
    alphabet = Alphabet("svk", "sk", ("ch", "c", "h", "á"))
    tokens = Vocabulary.of(alphabet).tokens
    assert Alphabet.from_tokens(tokens, language="svk", spoken_language="sk") == alphabet
