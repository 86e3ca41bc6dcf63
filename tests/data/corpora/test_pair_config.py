from __future__ import annotations

from pathlib import Path

import pytest

from signloom.data.corpora.pair_config import PairCorpusConfig
from signloom.data.corpora.parallel_text import ParallelText
from signloom.data.corpora.spelled import SpelledPoses
from signloom.errors import ConfigError
from tests.data.corpora.test_parallel_text import write


def test_text_is_opened_with_what_the_section_says(tmp_path: Path) -> None:
    source, target = write(tmp_path)
    corpus = PairCorpusConfig(
        source=source,
        target=target,
        languages=("ase",),
        spoken_language="en",
        least=2,
        max_tokens=4,
    ).open()
    assert isinstance(corpus, ParallelText)
    assert (corpus.languages, corpus.spoken_language) == (("ase",), "en")
    assert corpus.max_tokens == 4
    assert corpus.vocabulary.tokens[4:] == (".",)


@pytest.mark.compiled  # the shape checker would ask for its statistics
def test_fingerspelling_is_opened_in_its_languages() -> None:
    corpus = PairCorpusConfig(kind="fingerspelling", languages=("ase",)).open()
    assert isinstance(corpus, SpelledPoses)
    assert corpus.languages == ("ase",)


@pytest.mark.parametrize(
    ("section", "reason"),
    [
        ({}, r"`corpus\.languages` must name a sign language"),
        ({"kind": "fingerspelling"}, r"`corpus\.languages` must name a sign language"),
        ({"languages": ("gsg", "ase")}, r"`corpus\.languages` of text must be one"),
        ({"languages": ("gsg",)}, r"`corpus\.source` must hold `\{split\}`"),
    ],
)
def test_what_cannot_be_opened_is_refused(section: dict[str, object], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        PairCorpusConfig(**section).open()
