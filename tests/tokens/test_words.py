"""Sentences become words, glosses stay what they are."""

from __future__ import annotations

from signloom.tokens.words import known_tokens, learn_vocabulary, split_words


def test_lower_case_follows_the_language() -> None:
    assert split_words("ISI", spoken_language="tr") == ("ısı",)
    assert split_words("ISI", spoken_language="de") == ("isi",)


def test_frequent_tokens_come_first_and_rare_ones_are_left_out() -> None:
    sentences = [("b", "a", "c"), ("a", "c"), ("c", "<unk>")]
    assert learn_vocabulary(sentences).tokens == ("<pad>", "<unk>", "c", "a", "b")
    vocabulary = learn_vocabulary(sentences, least=2)
    assert vocabulary.tokens == ("<pad>", "<unk>", "c", "a")
    assert known_tokens(("a", "b"), vocabulary) == ("a", "<unk>")
