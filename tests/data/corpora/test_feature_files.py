"""Feature files with sentences are a corpus of translation."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from signloom.data.corpora.drawing import step_rng
from signloom.data.corpora.feature_files import FeatureFiles
from signloom.data.corpora.pair_corpus import PairCorpus
from signloom.errors import ConfigError, FormatError

SENTENCES = {
    "train": [
        (5, "MORGEN REGEN", "morgen regnet es ."),
        (9, "SONNE", "sonne ."),
        (7, "REGEN", "regen ."),
    ],
    "dev": [(40, "SCHNEE REGEN", "schnee und regen .")],
    "test": [(3, "SONNE", "sonne .")],
}


def write(folder: Path, *, width: int = 3, **more: Any) -> str:
    """Write three splits as slt does, with tensors."""
    rng = np.random.default_rng(1)
    for split, sentences in SENTENCES.items():
        entries = [
            {
                "name": f"{split}/{number}",
                "signer": "Signer01",
                "gloss": gloss,
                "text": text,
                "sign": torch.from_numpy(rng.normal(2, 3, (frames, width)).astype(np.float32)),
            }
            | (more.get(split, {}) if number == 0 else {})
            for number, (frames, gloss, text) in enumerate(sentences)
        ]
        with gzip.open(folder / f"x.{split}", "wb") as file:
            pickle.dump(entries, file)
    return str(folder / "x.{split}")


def test_it_is_a_corpus_of_pairs(tmp_path: Path) -> None:
    corpus = FeatureFiles(write(tmp_path))
    assert isinstance(corpus, PairCorpus)
    assert (corpus.num_features, corpus.max_source, corpus.max_tokens) == (3, 9, 4)
    assert (corpus.languages, corpus.kind, corpus.unit) == (("gsg",), "signing", "words")
    assert corpus.source_kind == "features"
    [pair] = corpus.pairs("test")
    assert (pair.name, pair.text, pair.tokens) == ("test/0", "sonne .", ("sonne", "."))
    assert pair.source.shape == (3, 3)


def test_the_vocabularies_are_those_of_training_and_the_rest_is_unknown(tmp_path: Path) -> None:
    corpus = FeatureFiles(write(tmp_path))
    assert corpus.vocabulary.tokens[:5] == ("<pad>", "<unk>", "<s>", "</s>", ".")
    assert corpus.gloss_vocabulary.tokens == ("<pad>", "<unk>", "REGEN", "MORGEN", "SONNE")
    [pair] = corpus.pairs("dev")
    assert pair.tokens == ("<unk>", "<unk>", "regen", ".")
    assert pair.text == "schnee und regen ."
    assert pair.glosses == ("<unk>", "REGEN")


def test_mean_and_spread_are_those_of_training(tmp_path: Path) -> None:
    corpus = FeatureFiles(write(tmp_path))
    rows = np.concatenate([pair.source for pair in corpus.pairs("train")]).astype(np.float64)
    np.testing.assert_allclose(corpus.mean, rows.mean(axis=0), rtol=1e-6)
    np.testing.assert_allclose(corpus.std, rows.std(axis=0), rtol=1e-6)


def test_a_feature_that_never_changes_has_a_spread_to_divide_by(tmp_path: Path) -> None:
    path = write(tmp_path)
    for split in SENTENCES:
        entries = pickle.loads(gzip.decompress((tmp_path / f"x.{split}").read_bytes()))
        for entry in entries:
            entry["sign"][:, 1] = 5.0
        (tmp_path / f"x.{split}").write_bytes(gzip.compress(pickle.dumps(entries)))
    corpus = FeatureFiles(path)
    assert corpus.std[1] == pytest.approx(0.01 * (corpus.std[0] + corpus.std[2]) / 3, rel=1e-5)


def test_without_glosses_in_every_sequence_there_is_nothing_to_recognise(tmp_path: Path) -> None:
    corpus = FeatureFiles(write(tmp_path, train={"gloss": ""}))
    assert corpus.gloss_vocabulary is None
    assert all(pair.glosses == () for pair in corpus.pairs("train"))


def test_long_sequences_are_left_out_of_training_alone(tmp_path: Path, caplog) -> None:
    corpus = FeatureFiles(write(tmp_path), max_frames=7)
    assert [pair.length for pair in corpus.pairs("train")] == [5, 7]
    assert [pair.length for pair in corpus.pairs("dev")] == [40]
    assert "1 of 3 training sequences are left out" in caplog.text
    corpus = FeatureFiles(write(tmp_path), max_tokens=3)
    assert [pair.length for pair in corpus.pairs("train")] == [9, 7]


def test_a_batch_is_a_function_of_its_step(tmp_path: Path) -> None:
    corpus = FeatureFiles(write(tmp_path))

    def draw(step: int) -> list[str]:
        rows = corpus.draw(step_rng(3, "train", step), split="train", size=2, pool=2)
        return [row.name for row in rows]

    assert draw(5) == draw(5)
    assert len({tuple(draw(step)) for step in range(9)}) > 1


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"dev": {"text": " "}}, r"x\.dev sequence 'dev/0' must have a text"),
        ({"train": {"sign": torch.zeros(0, 3)}}, r"sequence 'train/0' must have a frame"),
        ({"test": {"sign": torch.zeros(3, 5)}}, "3 in train, 3 in dev, 5 in test"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(tmp_path: Path, more: Any, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        FeatureFiles(write(tmp_path, **more))


def test_a_wrong_path_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(ConfigError, match=r"`\{split\}`"):
        FeatureFiles(str(tmp_path / "x.train"))
    with pytest.raises(FormatError, match="No such file"):
        FeatureFiles(str(tmp_path / "y.{split}"))
    with pytest.raises(ConfigError, match="max_frames"):
        FeatureFiles(str(tmp_path / "x.{split}"), max_frames=2)
