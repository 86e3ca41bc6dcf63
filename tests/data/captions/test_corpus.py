"""What is left of a corpus when pictures lack features, captions or a split."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from signloom.data.captions.captioned import Captioned
from signloom.data.captions.corpus import CaptionCorpus
from signloom.errors import ConfigError
from signloom.features.regions import RegionFolder

CAPTIONS = ("A dog runs.", "!!!", "Dogs run on grass.")


@pytest.fixture
def features(tmp_path: Path) -> RegionFolder:
    for name in "abcd":
        np.save(tmp_path / f"{name}.npy", np.ones((2, 3), np.float32))
    return RegionFolder(tmp_path)


def new_corpus(features: RegionFolder, **options: Any) -> CaptionCorpus:
    splits = {
        "train": [Captioned(name, None, CAPTIONS) for name in "ab"],
        "dev": [Captioned("c", None, CAPTIONS)],
        "test": [Captioned("d", None, CAPTIONS)],
    }
    return CaptionCorpus(splits | options.pop("splits", {}), features, least=1, **options)


def test_captions_of_no_word_are_left_out_and_long_ones_cut(features: RegionFolder) -> None:
    corpus = new_corpus(features, max_words=3)
    [first, _] = corpus.examples("train")
    assert first.tokens == (("a", "dog", "runs"), ("dogs", "run", "on"))
    assert corpus.references(first)[1] == ("dogs", "run", "on", "grass")


def test_pictures_without_features_or_words_are_left_out_and_counted(
    features: RegionFolder, caplog: pytest.LogCaptureFixture
) -> None:
    train = [Captioned("a", None, CAPTIONS), Captioned("b", None, ("?",)), Captioned("z", None, ())]
    with caplog.at_level(logging.WARNING):
        corpus = new_corpus(features, splits={"train": train})
    assert [one.name for one in corpus.examples("train")] == ["a"]
    assert "2 of 3 pictures of train have no features, or no caption of a word" in caplog.text
    assert "the first b." in caplog.text


@pytest.mark.parametrize("split", ["train", "dev"])
def test_a_split_that_is_needed_must_have_a_picture(features: RegionFolder, split: str) -> None:
    with pytest.raises(ConfigError, match=f"must have a picture of `{split}`"):
        new_corpus(features, splits={split: []})
    assert new_corpus(features, splits={"test": []}).examples("test") == []


def test_a_teacher_replaces_what_people_say_or_joins_it(features: RegionFolder) -> None:
    taught = {"a": (("a", "dog"), ()), "b": ((),)}
    first, other = new_corpus(features, taught=taught).examples("train")
    assert first.tokens == (("a", "dog"),)
    assert len(other.tokens) == 2  # the teacher says nothing of it
    first, other = new_corpus(features, taught=taught, join=True).examples("train")
    assert [len(one.tokens) for one in (first, other)] == [3, 2]
    with pytest.raises(ConfigError, match="has none of b"):
        new_corpus(features, taught={"a": (("a",),)})
