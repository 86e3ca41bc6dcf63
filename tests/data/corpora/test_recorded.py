"""A prepared corpus is tokenised and drawn from like one that is built."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.data.corpora.config import CorpusConfig
from signloom.data.corpora.corpus import Corpus
from signloom.data.corpora.drawing import step_rng
from signloom.data.corpora.recorded import Recorded
from signloom.errors import ConfigError
from signloom.poses.normalize import to_features
from tests.data.small_corpus import write_prepared


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_prepared(tmp_path_factory.mktemp("mine"))


def test_it_is_a_corpus(prepared: Path) -> None:
    corpus = CorpusConfig(path=str(prepared)).open()
    assert isinstance(corpus, Corpus)
    assert (corpus.unit, corpus.kind, corpus.language) == ("words", "signing", "gsg")
    assert corpus.max_frames == 15  # clips 0, 1, 4 and 5 are for training, of 5 + 2 n frames
    assert corpus.max_tokens == 3


def test_the_vocabulary_is_that_of_training_and_the_rest_is_unknown(prepared: Path) -> None:
    corpus = Recorded(prepared, unit="glosses")
    assert corpus.vocabulary.tokens == ("<pad>", "<unk>", "A", "B0", "B1", "B4", "B5")
    assert [row.tokens for row in corpus.examples("test")] == [("A", "<unk>")]
    assert Recorded(prepared, unit="glosses", least=2).vocabulary.tokens == ("<pad>", "<unk>", "A")


def test_features_are_standardised_over_training(prepared: Path) -> None:
    corpus = Recorded(prepared)
    rows = np.concatenate([to_features(row.frames) for row in corpus.examples("train")])
    standard = corpus.standardiser.apply(rows)
    np.testing.assert_allclose(standard.mean(axis=0), 0, atol=1e-5)


def test_a_batch_is_a_function_of_its_step(prepared: Path) -> None:
    corpus = Recorded(prepared)

    def draw(step: int) -> list[str]:
        rows = corpus.draw(step_rng(3, "train", step), split="train", size=3, pool=2)
        return [row.name for row in rows]

    assert draw(5) == draw(5)
    assert len({tuple(draw(step)) for step in range(9)}) > 1


def test_what_is_fewer_than_a_batch_is_drawn_again(prepared: Path) -> None:
    corpus = Recorded(prepared)
    rows = corpus.draw(step_rng(0, "dev", 0), split="dev", size=5)
    assert {row.name for row in rows} == {row.name for row in corpus.examples("dev")}
    assert len(rows) == 5


def test_long_recordings_are_left_out_and_all_of_them_refused(
    prepared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert [row.num_frames for row in Recorded(prepared, max_frames=8).examples("train")] == [5, 7]
    assert "2 of 4 utterances of `train` are left out" in caplog.text
    with pytest.raises(ConfigError, match="at most 4 frames"):
        Recorded(prepared, max_frames=4)


def test_a_folder_and_a_lexicon_do_not_go_together(prepared: Path) -> None:
    with pytest.raises(ConfigError, match="must not both"):
        CorpusConfig(path=str(prepared), lexicon=str(prepared)).open()
    with pytest.raises(ConfigError, match=r"`corpus.path` must be the path of a folder"):
        CorpusConfig(path="nowhere").open()
