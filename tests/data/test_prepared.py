"""A prepared corpus opens by its card and reads a shard when one of its utterances is wanted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from signloom.data import prepared
from signloom.data.preparation import prepare
from signloom.data.prepared import CARD, PreparedCorpus
from signloom.data.readers import phoenix14t_skels
from signloom.data.shards import read_shard
from signloom.errors import ConfigError, FormatError
from tests.data.small_corpus import moving_frames, write_parallel


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    source = folder / "src"
    write_parallel(source, "train", [1 + number % 3 for number in range(70)])
    write_parallel(source, "test", [5, 3], seed=500)
    reading = phoenix14t_skels.read(source, phoenix14t_skels.Options())
    prepare(reading, folder / "out", source=source, options={})
    return folder / "out"


@pytest.fixture
def folder(made, tmp_path) -> Path:
    return shutil.copytree(made, tmp_path / "out")


def test_utterances_are_a_sequence_across_shards(folder) -> None:
    corpus = PreparedCorpus.open(folder)
    examples = corpus.examples("train")
    assert corpus.splits == ("train", "test")
    assert len(examples) == 70
    assert [example.name for example in examples] == [f"train/tagesschau-{n}" for n in range(70)]
    assert examples[-1].name == examples[69].name == "train/tagesschau-69"
    assert [example.name for example in examples[63:66]] == [
        f"train/tagesschau-{n}" for n in (63, 64, 65)
    ]
    np.testing.assert_allclose(examples[65].frames, moving_frames(3, seed=65), atol=1e-6)
    assert examples[65].glosses == ("SATZ", "NUMMER65")
    with pytest.raises(IndexError):
        examples[70]


def test_opening_reads_no_shard_and_an_utterance_reads_one(folder) -> None:
    for path in folder.glob("*.parquet"):
        if path.name != "test-00000.parquet":
            path.unlink()
    examples = PreparedCorpus.open(folder).examples("test")
    assert [example.num_frames for example in examples] == [5, 3]


def test_utterances_of_a_shard_share_its_memory(folder) -> None:
    first, second = PreparedCorpus.open(folder).examples("test")
    gap = second.frames.ctypes.data - first.frames.ctypes.data
    assert gap == first.frames.nbytes


def test_shards_over_the_bound_are_dropped_and_read_again(folder, monkeypatch) -> None:
    monkeypatch.setattr(prepared, "CACHE_BYTES", 1)
    corpus = PreparedCorpus.open(folder)
    examples = corpus.examples("train")
    first = examples[0].frames
    assert examples[0].frames is first
    assert examples[69].num_frames == 1
    again = examples[0].frames
    assert again is not first
    np.testing.assert_array_equal(again, first)


def test_a_damaged_missing_or_exchanged_shard_is_one_line(folder) -> None:
    shard = folder / "test-00000.parquet"
    data = shard.read_bytes()
    shard.write_bytes(data[:-20])
    with pytest.raises(FormatError, match="must have the checksum"):
        PreparedCorpus.open(folder).rows("test", 0)
    shard.write_bytes((folder / "train-00001.parquet").read_bytes())
    with pytest.raises(FormatError, match="must have the checksum"):
        PreparedCorpus.open(folder).rows("test", 0)
    shard.unlink()
    with pytest.raises(FormatError, match="is missing"):
        PreparedCorpus.open(folder).rows("test", 0)


def test_a_card_that_promises_more_than_the_shard_has_is_refused(folder) -> None:
    card = json.loads((folder / CARD).read_text())
    card["splits"]["test"]["utterances"] = 3
    (folder / CARD).write_text(json.dumps(card))
    with pytest.raises(FormatError, match="must have 3 utterances as the card says, but has 2"):
        PreparedCorpus.open(folder).rows("test", 0)


def test_an_unknown_split_is_refused_by_the_splits_there_are(folder) -> None:
    with pytest.raises(ConfigError, match="split `dev`, but has train, test"):
        PreparedCorpus.open(folder).examples("dev")


def test_a_folder_that_is_not_finished_is_refused(tmp_path) -> None:
    with pytest.raises(FormatError, match="`signloom data prepare` has finished"):
        PreparedCorpus.open(tmp_path)


def test_a_card_or_shard_that_never_ends_is_refused_unread(folder) -> None:
    for name in ("test-00000.parquet", CARD):
        (folder / name).unlink()
        (folder / name).symlink_to("/dev/zero")
    with pytest.raises(FormatError, match=r"card\.json must be a plain file"):
        PreparedCorpus.open(folder)
    with pytest.raises(FormatError, match=r"parquet must be a plain file"):
        read_shard(folder / "test-00000.parquet")


CARDS = {
    "no json": "{",
    "deep": "[" * 100_000,
    "a list": "[]",
    "other format": '{"format": 2}',
    "no name": '{"format": 1}',
}


@pytest.mark.parametrize("content", CARDS.values(), ids=CARDS)
def test_a_card_that_does_not_hold_is_one_line(tmp_path, content: str) -> None:
    (tmp_path / CARD).write_text(content)
    with pytest.raises(FormatError, match=r"card\.json must") as caught:
        PreparedCorpus.open(tmp_path)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "dancing"),
        ("licence", 3),
        ("shards", None),
        ("shards", {}),
        ("splits", {"train": {"utterances": 2**31 - 1}}),
        ("splits", {"other": {"utterances": 3}}),
        ("splits", {"train": {"utterances": True}}),
        ("splits", {"train": {"utterances": -1}}),
        ("splits", {"train": 7}),
    ],
)
def test_a_value_of_the_card_that_does_not_hold_is_refused(folder, key, value) -> None:
    card = json.loads((folder / CARD).read_text())
    (folder / CARD).write_text(json.dumps(card | {key: value}))
    with pytest.raises(FormatError, match=f"`{key}`|`utterances`"):
        PreparedCorpus.open(folder)
