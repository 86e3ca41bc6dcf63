"""The `corpus` section of a translation recipe opens the corpus that it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.data.corpora.feature_files import FeatureFiles
from signloom.data.corpora.pair_config import PairCorpusConfig
from signloom.data.corpora.parallel_text import ParallelText
from signloom.errors import ConfigError
from tests.data.corpora.test_feature_files import write


def test_features_are_opened_with_what_the_recipe_says(tmp_path: Path) -> None:
    config = PairCorpusConfig(
        kind="features",
        source=write(tmp_path),
        languages=("gsg",),
        spoken_language="de",
        max_frames=7,
    )
    corpus = config.open()
    assert isinstance(corpus, FeatureFiles)
    assert (corpus.languages, corpus.spoken_language, corpus.max_source) == (("gsg",), "de", 7)


def test_text_is_opened_with_what_the_recipe_says(tmp_path: Path) -> None:
    for split in ("train", "dev", "test"):
        (tmp_path / f"x.{split}.gloss").write_text("MORGEN REGEN\nSONNE\n")
        (tmp_path / f"x.{split}.de").write_text("morgen regnet es .\nsonne .\n")
    config = PairCorpusConfig(
        source=str(tmp_path / "x.{split}.gloss"),
        target=str(tmp_path / "x.{split}.de"),
        languages=("gsg",),
        max_tokens=3,
    )
    corpus = config.open()
    assert isinstance(corpus, ParallelText)
    assert (corpus.languages, corpus.max_tokens, corpus.max_source) == (("gsg",), 2, 1)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "must name a sign language"),
        ({"kind": "features", "languages": ("gsg", "ase")}, "of features must be one, but are"),
        ({"kind": "text", "languages": ("gsg", "ase")}, "of text must be one, but are"),
        ({"kind": "features", "languages": ("gsg",), "source": "x"}, r"must hold `\{split\}`"),
        (
            {"kind": "features", "languages": ("gsg",), "target": "x.{split}"},
            "`corpus.target` must be left out for features",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        PairCorpusConfig(**values).open()  # type: ignore[arg-type]
