from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.corpora.texts import TextSampler, _measure
from signloom.data.corpora.words import is_held_out
from signloom.tokens.alphabet import REPEAT, Alphabet
from signloom.tokens.spelling import spell


@pytest.fixture(scope="module")
def texts(corpus: Fingerspelling) -> list[str]:
    rng = np.random.default_rng(11)
    return [corpus.random_text(rng) for _ in range(5000)]


def test_held_out_words_are_never_trained_on(corpus: Fingerspelling, texts: list[str]) -> None:
    held_out = {*corpus.words("dev"), *corpus.words("test")}
    assert not any(held_out.intersection(text.split()) for text in texts)
    assert not any(map(is_held_out, texts))


def test_every_text_fits_into_an_utterance(corpus: Fingerspelling, texts: list[str]) -> None:
    lengths = [len(spell(text, corpus.alphabet)) for text in texts]
    assert max(lengths) == corpus.max_tokens
    assert min(lengths) == 1


def test_texts_are_words_phrases_long_and_doubled_words_and_letters(
    corpus: Fingerspelling, texts: list[str]
) -> None:
    counts = [len(text.split()) for text in texts]
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert 0.2 < np.mean(np.array(counts) > 1) < 0.28
    assert np.mean([len(text) >= 9 and " " not in text for text in texts]) > 0.2
    doubled = np.mean(["<rep>" in spell(text, corpus.alphabet) for text in texts])
    assert 0.3 < doubled < 0.6
    assert {text for text in texts if len(text) == 1} == set(corpus.alphabet.letters)


def test_texts_follow_the_seed(corpus: Fingerspelling) -> None:
    one, two = (np.random.default_rng(4) for _ in range(2))
    assert [corpus.random_text(one) for _ in range(20)] == [
        corpus.random_text(two) for _ in range(20)
    ]


def test_a_fifth_of_random_strings_have_a_doubled_letter() -> None:
    sampler = TextSampler(["aa", "abcabcabc"], Alphabet.load("ase"), max_tokens=28)
    rng = np.random.default_rng(0)
    strings = [text for text in (sampler.draw(rng) for _ in range(8000)) if len(text) == 12]
    strings = [text for text in strings if " " not in text]
    doubled = np.mean([any(a == b for a, b in pairwise(s)) for s in strings])
    # Chance adds 11 x 1/26 of them.
    assert 0.4 < doubled < 0.62


@pytest.mark.parametrize("letters", ["abclro", "a b c l r o ll rr"])
def test_words_are_measured_as_they_are_spelled(letters: str) -> None:
    alphabet = Alphabet("xyz", "es", tuple(letters.split() if " " in letters else letters))
    words = ["aaa", "abab", "calla", "carro", "lllo", "bll", "rrr", "ala", "coo"]
    tokens, doubled = _measure(words, alphabet)
    spelled = {word: spell(word, alphabet) for word in words}
    assert tokens == {word: len(one) for word, one in spelled.items()}
    assert doubled == {word for word, one in spelled.items() if REPEAT in one}
