"""The poses of fingerspelling in two languages, to be read as letters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from signloom.data.corpora import spelled
from signloom.data.corpora.drawing import step_rng
from signloom.data.corpora.pair_corpus import PairCorpus
from signloom.data.corpora.spelled import SpelledPoses
from signloom.data.corpora.statistics import fit_standardiser
from signloom.poses.normalize import STD_FLOOR
from signloom.tokens.targets import never_written


@pytest.fixture(scope="module")
def corpus() -> SpelledPoses:
    opened = SpelledPoses(("ase", "lls"))
    for speller in opened.spellers.each:  # of fewer utterances than it would take by itself
        speller.standardiser = fit_standardiser(speller, samples=20)
    return opened


def drawn(corpus: SpelledPoses, step: int, *, size: int = 5, pool: int = 2) -> list[Any]:
    return corpus.draw(step_rng(3, "train", step), split="train", size=size, pool=pool)


def test_it_is_a_corpus_of_pairs(corpus: SpelledPoses) -> None:
    assert isinstance(corpus, PairCorpus)
    assert (corpus.kind, corpus.unit, corpus.source_kind) == ("fingerspelling", "letters", "poses")
    assert (corpus.num_features, corpus.source_vocabulary) == (150, None)
    assert corpus.spoken_language == "en"


def test_a_vocabulary_holds_the_letters_and_tags_of_all_languages(corpus: SpelledPoses) -> None:
    tokens = corpus.vocabulary.tokens
    assert tokens[:8] == ("<pad>", "<unk>", "<s>", "</s>", "<ase>", "<lls>", "<rep>", " ")
    assert {"a", "w", "ž"} <= set(tokens)
    assert corpus.gloss_vocabulary.tokens == ("<pad>", *tokens[6:])
    banned = corpus.vocabulary.decode(never_written(corpus.vocabulary, corpus.languages))
    assert banned == ("<unk>", "<s>", "<ase>", "<lls>")


def test_one_language_needs_no_tag() -> None:
    corpus = SpelledPoses(("ase",))
    assert corpus.tags == ()
    assert not [token for token in corpus.vocabulary.tokens if token == "<ase>"]
    assert {pair.start for pair in drawn(corpus, 0, size=3, pool=1)} == {"<s>"}


def test_a_batch_is_a_function_of_its_step(corpus: SpelledPoses) -> None:
    first, again, other = drawn(corpus, 7), drawn(corpus, 7), drawn(corpus, 8)
    assert [pair.name for pair in first] == [pair.name for pair in again]
    for one, same in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.source, same.source)
    assert [pair.name for pair in first] != [pair.name for pair in other]


def test_every_language_is_drawn_and_begins_with_its_tag(corpus: SpelledPoses) -> None:
    pairs = drawn(corpus, 7, size=9, pool=1)
    assert {pair.start for pair in pairs} == {"<ase>", "<lls>"}
    for pair in pairs:
        assert pair.name.startswith(pair.start.strip("<>"))
        assert pair.source.shape == (pair.length, 150)
        assert pair.glosses == pair.tokens
        corpus.vocabulary.encode(pair.tokens)
        corpus.gloss_vocabulary.encode(pair.glosses)


def test_of_what_is_held_still_nothing_is_to_be_read(
    corpus: SpelledPoses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spelled, "STILL_SHARE", 1.0)
    for pair in drawn(corpus, 7, size=2, pool=1):
        assert (pair.tokens, pair.glosses, pair.text) == ((), (), "")
        assert np.abs(np.diff(pair.source, axis=0)).max() < 0.5


def test_validation_is_the_same_held_out_words_of_each_language(
    corpus: SpelledPoses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spelled, "VALIDATION_WORDS", 3)
    pairs = corpus.pairs("dev")
    assert pairs is corpus.pairs("dev")
    assert [pair.start for pair in pairs] == ["<ase>"] * 3 + ["<lls>"] * 3
    for speller, word in zip(corpus.spellers.each, (pairs[0].text, pairs[3].text), strict=True):
        assert word in speller.words("dev")
    rows = corpus.draw(step_rng(0, "dev", 0), split="dev", size=4)
    assert {row.name for row in rows} <= {pair.name for pair in pairs}


def test_mean_and_spread_are_those_of_both_languages_together(corpus: SpelledPoses) -> None:
    rng = np.random.default_rng(0)
    first, second = (
        rng.normal(one.standardiser.mean, one.standardiser.std, (4001, 150))
        for one in corpus.spellers.each
    )
    both = np.concatenate([first, second])
    np.testing.assert_allclose(corpus.mean, both.mean(0), atol=0.03)
    moving = corpus.std > 2 * STD_FLOOR
    np.testing.assert_allclose(corpus.std[moving], both.std(0)[moving], rtol=0.06)
    assert corpus.std.min() >= STD_FLOOR
    assert moving.sum() > 40
