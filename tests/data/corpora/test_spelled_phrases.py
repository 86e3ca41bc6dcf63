"""Spelled phrases in two languages: held out, fitting, the same every time."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.data.corpora.clip_corpus import ClipCorpus
from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.data.corpora.spelled_phrases import WORDS, SpelledPhrases, held_out_phrases
from signloom.poses.normalize import Standardiser
from signloom.tokens.alphabet import REPEAT
from signloom.tokens.spelling import spell

LANGUAGES = ("ase", "mfs")


@pytest.fixture(scope="module")
def phrases() -> SpelledPhrases:
    return SpelledPhrases(LANGUAGES)


def test_it_is_a_corpus_of_clips(phrases: SpelledPhrases) -> None:
    # Not by isinstance, which would fit the standardiser.
    assert {name for name in dir(ClipCorpus) if name[0] != "_"} <= {*dir(phrases)}
    assert (phrases.kind, phrases.unit, phrases.languages) == (
        "fingerspelling",
        "letters",
        LANGUAGES,
    )
    assert phrases.spoken_language == "en"
    assert phrases.examples("train") == []


def test_the_vocabulary_has_the_letters_of_every_language_once(phrases: SpelledPhrases) -> None:
    tokens = phrases.vocabulary.tokens
    assert len(set(tokens)) == len(tokens)
    assert {"a", "ñ", "ll"} <= set(tokens)
    for one in phrases.spellers.each:
        assert set(one.alphabet.letters) <= set(tokens)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_phrases_are_of_held_out_words_and_fit(corpus: Fingerspelling, split: str) -> None:
    found = held_out_phrases(corpus, split, 31, np.random.default_rng(0))
    assert len(found) == 31
    held_out, train = set(corpus.words(split)), set(corpus.words("train"))
    for phrase in found:
        words = phrase.split(" ")
        assert WORDS[0] <= len(words) <= WORDS[1]
        assert set(words) <= held_out - train
        assert len(spell(phrase, corpus.alphabet)) <= corpus.max_tokens
    assert {len(phrase.split(" ")) for phrase in found} >= {2, 3}


def test_held_out_clips_are_the_same_every_time(monkeypatch) -> None:
    monkeypatch.setattr("signloom.data.corpora.spelled_phrases.PHRASES", {"dev": 3, "test": 2})
    english = SpelledPhrases(["ase"])
    first, again = english.examples("dev"), SpelledPhrases(["ase"]).examples("dev")
    assert len(first) == 3
    for one, same in zip(first, again, strict=True):
        assert (one.name, one.tokens) == (same.name, same.tokens)
        np.testing.assert_array_equal(one.frames, same.frames)
    assert english.examples("dev") is first
    assert {one.name for one in english.examples("test")}.isdisjoint(one.name for one in first)
    drawn = english.draw(np.random.default_rng(1), split="dev", size=5)
    assert {one.name for one in drawn} <= {one.name for one in first}


def test_training_clips_are_drawn_by_about_their_length() -> None:
    english = SpelledPhrases(["ase"])
    rng = np.random.default_rng(0)
    batches = [english.draw(rng, split="train", size=3, pool=3) for _ in range(2)]
    for batch in batches:
        assert [len(one.text) for one in batch] == sorted(len(one.text) for one in batch)
        assert all(one.num_frames <= english.max_frames for one in batch)
        assert all(len(one.spans) == len(one.tokens) for one in batch)
    again = english.draw(np.random.default_rng(0), split="train", size=3, pool=3)
    np.testing.assert_array_equal(again[0].frames, batches[0][0].frames)


def test_every_clip_says_whose_language_it_is_in(phrases: SpelledPhrases) -> None:
    texts = [(1, "calle"), (0, "calle")]
    mexican, american = phrases.spellers.build(texts, np.random.default_rng(0))
    assert (mexican.language, mexican.name) == ("mfs", "mfs calle")
    assert (american.language, american.name) == ("ase", "ase calle")
    assert mexican.tokens == ("c", "a", "ll", "e")
    assert american.tokens == ("c", "a", "l", REPEAT, "e")
    for one in (mexican, american):
        assert "<unk>" not in phrases.vocabulary.decode(phrases.vocabulary.encode(one.tokens))


def test_the_spread_over_languages_has_that_between_them(phrases, monkeypatch) -> None:
    rng = np.random.default_rng(0)
    rows = [(place + rng.normal(size=(400, 150))).astype(np.float32) for place in (0, 3)]
    for one, own in zip(phrases.spellers.each, rows, strict=True):
        monkeypatch.setitem(one.__dict__, "standardiser", Standardiser.fit(own))
    whole = Standardiser.fit(np.concatenate(rows))
    np.testing.assert_allclose(phrases.standardiser.mean, whole.mean, atol=1e-4)
    np.testing.assert_allclose(phrases.standardiser.std, whole.std, atol=1e-4)
