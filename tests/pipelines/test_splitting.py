"""Passages fit the model, lose no letter, and break inside a word only where they must."""

from __future__ import annotations

import random

import pytest

from signloom.pipelines.splitting import fill_passages
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.spelling import spell, unspell

ALPHABET = Alphabet.load("ase")


def words_of(text: str) -> list[tuple[str, ...]]:
    return [spell(word, ALPHABET) for word in text.split()]


def test_words_that_fit_stay_together() -> None:
    assert fill_passages(words_of("new york city"), max_tokens=30).passages == (
        tuple("new york city"),
    )


@pytest.mark.parametrize(
    ("max_tokens", "passages"),
    [(7, ["ab cde", "f"]), (6, ["ab cde", "f"]), (5, ["ab", "cde f"]), (3, ["ab", "cde", "f"])],
)
def test_a_passage_is_full_to_the_last_token(max_tokens: int, passages: list[str]) -> None:
    found = fill_passages(words_of("ab cde f"), max_tokens=max_tokens).passages
    assert ["".join(tokens) for tokens in found] == passages


def test_a_word_beyond_the_range_is_cut_and_named() -> None:
    split = fill_passages(words_of("a abcdefg h"), max_tokens=3)
    assert ["".join(tokens) for tokens in split.passages] == ["a", "abc", "def", "g", "h"]
    assert split.cut_words == (tuple("abcdefg"),)


def test_a_doubled_letter_cut_in_two_is_signed_in_both_pieces() -> None:
    assert fill_passages(words_of("abbb"), max_tokens=2).passages == (("a", "b"), ("b", "<rep>"))


@pytest.mark.parametrize("seed", range(11))
def test_no_letter_is_lost_and_no_passage_is_too_long(seed: int) -> None:
    rng = random.Random(seed)
    words = ["".join(rng.choices("abc", k=rng.randint(1, 13))) for _ in range(29)]
    split = fill_passages(words_of(" ".join(words)), max_tokens=7)
    assert all(0 < len(tokens) <= 7 and tokens[0] != "<rep>" for tokens in split.passages)
    joined = "".join(unspell(tokens) for tokens in split.passages)
    assert joined.replace(" ", "") == "".join(words)
