"""A reader's corpus as clips: splits or folds, a vocabulary of training, what was seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from signloom.data.corpora.clip_config import ClipCorpusConfig
from signloom.data.corpora.clip_corpus import ClipCorpus
from signloom.data.corpora.listed import NUM_FOLDS, ListedClips
from signloom.data.corpora.rendered import SYNTHETIC_PICTURES
from signloom.errors import ConfigError, FormatError
from signloom.poses.normalize import to_features
from tests.data.readers.small_films import write_plain
from tests.data.small_corpus import write_folder

OPTIONS = ("language=ukl", "spoken_language=uk", "name=mine", "licence=CC0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(tmp_path_factory.mktemp("listed"))


def test_clips_are_those_of_the_splits_with_their_glosses(folder: Path) -> None:
    corpus = ListedClips("folder", folder, OPTIONS)
    assert isinstance(corpus, ClipCorpus)
    assert (corpus.languages, corpus.spoken_language, corpus.unit) == (("ukl",), "uk", "glosses")
    assert corpus.source == "mine, licence: CC0"
    counts = {split: len(corpus.examples(split)) for split in ("train", "dev", "test")}
    assert counts == {"train": 4, "dev": 2, "test": 1}
    assert [one.tokens for one in corpus.examples("train")][:2] == [("A", "B0"), ("A", "B1")]
    assert corpus.max_frames == max(one.num_frames for one in corpus.examples("train"))


def test_glosses_that_training_lacks_are_unknown_but_remembered(folder: Path) -> None:
    corpus = ListedClips("folder", folder)
    assert set(corpus.vocabulary.tokens) == {"<pad>", "<unk>", "A", "B0", "B1", "B4", "B5"}
    [test] = corpus.examples("test")
    assert (test.tokens, test.glosses) == (("A", "<unk>"), ("A", "B3"))
    assert set(ListedClips("folder", folder, least=2).vocabulary.tokens) == {"<pad>", "<unk>", "A"}


def test_features_are_standardised_over_training_clips(folder: Path) -> None:
    corpus = ListedClips("folder", folder)
    rows = np.concatenate([to_features(one.frames) for one in corpus.examples("train")])
    np.testing.assert_allclose(corpus.standardiser.mean, rows.mean(0), atol=1e-5)


def test_every_clip_is_tested_in_one_fold_and_learned_in_the_others(folder: Path) -> None:
    tested = []
    for fold in range(NUM_FOLDS):
        corpus = ListedClips("folder", folder, fold=fold)
        own = [one.glosses for one in corpus.examples("test")]
        learned = [one.glosses for one in corpus.examples("train")]
        assert not set(own) & set(learned)
        assert len(own) + len(learned) == 7
        assert corpus.examples("dev") == []
        tested += own
    assert len(set(tested)) == len(tested) == 7


def test_without_validation_clips_training_clips_serve(folder: Path) -> None:
    corpus = ListedClips("folder", folder, fold=0)
    drawn = corpus.draw(np.random.default_rng(0), split="dev", size=3)
    assert {one.name for one in drawn} <= {one.name for one in corpus.examples("train")}


def test_films_are_learned_from_where_they_are_also_without_poses(tmp_path: Path) -> None:
    corpus = ListedClips("frames", write_plain(tmp_path), ("side_px=16",))
    [one] = corpus.examples("train")
    assert one.pictures is not None
    assert one.pictures().shape == (one.num_frames, 16, 16, 3)
    assert one.confidence is not None
    assert not one.confidence.any()


def test_long_clips_are_left_out_of_training_alone(folder: Path) -> None:
    corpus = ListedClips("folder", folder, max_frames=8)
    assert [one.num_frames for one in corpus.examples("train")] == [5, 7]
    assert [one.num_frames for one in corpus.examples("dev")] == [9, 17]
    with pytest.raises(ConfigError, match="at most 4 frames, but has none"):
        ListedClips("folder", folder, max_frames=4)


def test_pictures_are_drawn_where_they_are_asked_for_and_the_source_says_so(folder: Path) -> None:
    corpus = ListedClips("folder", folder, rendered_px=24)
    one = corpus.examples("train")[0]
    assert one.pictures is not None
    assert one.pictures().shape == (5, 24, 24, 3)
    assert SYNTHETIC_PICTURES in corpus.source
    assert ListedClips("folder", folder).examples("train")[0].pictures is None


def test_faults_of_the_tables_are_refused(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "own")
    with (folder / "table.csv").open("a") as table:
        table.write("gone.pose,nobody,A,train,ann\n")
    with pytest.raises(FormatError, match=r"table\.csv line 9: names 'gone\.pose'"):
        ListedClips("folder", folder)


class TestConfig:
    """The `corpus` section of a recipe."""

    def test_a_reader_lists_the_clips(self, folder: Path) -> None:
        config = ClipCorpusConfig(
            reader="folder", path=str(folder), options=("language=ukl",), fold=1, rendered_px=24
        )
        corpus = config.open()
        assert isinstance(corpus, ListedClips)
        assert corpus.languages == ("ukl",)
        assert corpus.examples("dev") == []

    # The checker of types would look at the standardiser, which takes seconds to fit.
    @pytest.mark.compiled
    def test_without_a_reader_phrases_are_spelled(self) -> None:
        corpus = ClipCorpusConfig(languages=("mfs",)).open()
        assert (corpus.kind, corpus.languages) == ("fingerspelling", ("mfs",))

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ({"languages": ()}, r"`corpus\.languages` must name a sign language"),
            ({"reader": "folder"}, r"`corpus\.path` must be the path of a folder, but is ''"),
            ({"reader": "folder", "path": "/no/where"}, "but is '/no/where'"),
        ],
    )
    def test_what_cannot_be_opened_is_refused(self, values: dict, message: str) -> None:
        with pytest.raises(ConfigError, match=message):
            ClipCorpusConfig(**values).open()
