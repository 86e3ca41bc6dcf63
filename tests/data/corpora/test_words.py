from __future__ import annotations

import pytest

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.corpora.words import load_words, sample_held_out, split_of
from signloom.errors import ConfigError


def test_splits_are_disjoint_and_about_90_5_5(corpus: Fingerspelling) -> None:
    sizes = {split: len(corpus.words(split)) for split in ("train", "dev", "test")}
    total = sum(sizes.values())
    assert total > 100_000
    assert sizes["train"] / total == pytest.approx(0.9, abs=0.01)
    assert sizes["dev"] / total == pytest.approx(0.05, abs=0.005)
    assert not set(corpus.words("dev")) & set(corpus.words("test"))


def test_words_are_sorted_lower_case_and_of_2_to_22_letters(corpus: Fingerspelling) -> None:
    words = corpus.words("dev")
    assert list(words) == sorted(set(words))
    assert all(2 <= len(word) <= 22 and set(word) <= set(corpus.alphabet.letters) for word in words)


def test_the_split_of_a_word_never_changes() -> None:
    splits = {"hello": "test", "summer": "test", "zebra": "dev", "water": "train", "tree": "train"}
    assert {word: split_of(word) for word in splits} == splits


def test_short_strings_are_always_for_training() -> None:
    assert {split_of(a + b) for a in "abcdefghij" for b in ("", "k", "z")} == {"train"}


def test_a_language_without_a_dictionary_is_refused() -> None:
    with pytest.raises(ConfigError, match="a dictionary of `xx`, but simplemma has none"):
        load_words("xx", "ab")


def test_a_sample_without_enough_doubles_is_refused() -> None:
    with pytest.raises(ConfigError, match="2 of them with a doubled letter, but holds 3 and 1"):
        sample_held_out(["ab", "aa", "ba"], 3, doubled=2, is_doubled="aa".__eq__)


def test_a_sample_may_have_more_doubles_than_asked_for() -> None:
    words = ["aa", "bb", "cc"]
    assert set(sample_held_out(words, 3, doubled=1, is_doubled=lambda _: True)) == set(words)
