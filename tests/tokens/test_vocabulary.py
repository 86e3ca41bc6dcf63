from __future__ import annotations

import pytest

from signloom.errors import TextError
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.vocabulary import Vocabulary

VOCABULARY = Vocabulary.of(Alphabet.load("ase"))


def test_padding_is_0_repetition_1_space_2_and_letters_follow() -> None:
    assert VOCABULARY.encode(["<pad>", "<rep>", " ", "a", "z"]) == [0, 1, 2, 3, 28]
    assert len(VOCABULARY) == 29


def test_decoding_undoes_encoding_and_drops_padding() -> None:
    tokens = ("a", "l", "<rep>", " ", "b")
    assert VOCABULARY.decode([*VOCABULARY.encode(tokens), 0, 0]) == tokens


def test_an_unknown_token_is_refused_by_name() -> None:
    with pytest.raises(TextError, match="'é' is not"):
        VOCABULARY.encode(["a", "é"])


@pytest.mark.parametrize("number", [-1, 29])
def test_an_id_out_of_range_is_refused(number: int) -> None:
    with pytest.raises(TextError, match=f"must be 0 to 28, but one is {number}"):
        VOCABULARY.decode([3, number])


def test_a_vocabulary_that_does_not_begin_with_padding_is_refused() -> None:
    with pytest.raises(TextError, match="must begin with"):
        Vocabulary(("a", "b", "c", "d"))


def test_a_token_may_not_occur_twice() -> None:
    with pytest.raises(TextError, match="occurs twice"):
        Vocabulary(("<pad>", "<rep>", " ", "a", "a"))
