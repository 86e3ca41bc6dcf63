"""Joining is the inverse of cutting."""

from __future__ import annotations

import pytest

from signloom.tokens.alphabet import Alphabet
from signloom.tokens.sentences import join_tokens
from signloom.tokens.spelling import spell
from signloom.tokens.words import split_glosses


@pytest.mark.parametrize("text", ["", "und nun die wettervorhersage .", "ÄÖ  a"])
def test_words_are_joined_as_they_were_cut(text: str) -> None:
    assert join_tokens(split_glosses(text), "words") == " ".join(text.split())
    assert join_tokens(split_glosses(text), "glosses") == " ".join(text.split())


@pytest.mark.parametrize("text", ["", "hello all", "aaa  b"])
def test_letters_are_joined_as_they_were_spelled(text: str) -> None:
    assert join_tokens(spell(text, Alphabet.load("ase")), "letters") == text


def test_what_begins_ends_or_pads_is_left_out_and_the_unknown_is_not() -> None:
    tokens = ["<s>", "a", "<unk>", "</s>", "<pad>"]
    assert join_tokens(tokens, "words") == "a <unk>"
    assert join_tokens(tokens, "letters") == "a<unk>"


def test_every_reference_of_phoenix_is_what_is_joined_of_it(data_dir) -> None:
    path = data_dir / "sign/phoenix14t_text/phoenix2014T.test.de"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 642
    assert [join_tokens(split_glosses(line), "words") for line in lines] == [
        line.strip() for line in lines
    ]
