"""A cache of features holds what a network sees, and nothing that was altered."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.features.store import FeatureStore, PictureFeatures, read_network
from tests.small_pictures import (
    COLOURS,
    NUM_FEATURES,
    POSITIONS,
    colour_network,
    write_features,
    write_pictures,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_features(write_pictures(tmp_path / "pictures"), tmp_path / "features")


def test_it_gives_what_the_network_sees_of_both_views(folder: Path) -> None:
    store = FeatureStore(folder)
    assert isinstance(store, PictureFeatures)
    assert (store.positions, store.num_features, store.views) == (POSITIONS, NUM_FEATURES, 2)
    assert len(store.names) == 24
    for colour, value in COLOURS.items():
        name = f"images/train_{colour}_1"
        assert name in store
        for view in (0, 1):
            features = store.get(name, view)
            assert features.dtype == np.float16
            np.testing.assert_allclose(features, np.tile(value, (4, 1)) / 255, atol=0.02)
    assert "images/none" not in store
    assert read_network(folder) == colour_network()


@pytest.mark.parametrize("file", ["features-00000.npy", "image.onnx"])
def test_a_file_that_was_altered_is_refused(folder: Path, file: str) -> None:
    content = bytearray((folder / file).read_bytes())
    content[-1] ^= 1
    (folder / file).write_bytes(content)
    with pytest.raises(FormatError, match="its checksum differs"):
        FeatureStore(folder) if file.endswith(".npy") else read_network(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no json", "must be an index of features, but is not"),
        ("[]", "must be an index of features, but is not"),
        ('{"format": 7}', "its format is 7"),
        ('{"format": 1, "shards": 3}', "must be an index of features, but is not"),
        ("[" * 100_000, "must be an index of features, but is not"),
    ],
)
def test_an_index_of_something_else_is_refused(folder: Path, content: str, message: str) -> None:
    (folder / "index.json").write_text(content)
    with pytest.raises(FormatError, match=message):
        FeatureStore(folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [("file", 5), ("sources", 5), ("sources", {"a": 1}), ("names", 5), ("names", [1])],
)
def test_a_shard_that_does_not_hold_is_refused(folder: Path, key: str, value: object) -> None:
    index = json.loads((folder / "index.json").read_text())
    index["shards"][0][key] = value
    (folder / "index.json").write_text(json.dumps(index))
    with pytest.raises(FormatError, match="must be an index of features, but is not"):
        FeatureStore(folder)


def test_a_shard_that_never_ends_is_refused(folder: Path) -> None:
    (folder / "features-00000.npy").unlink()
    os.mkfifo(folder / "features-00000.npy")
    with pytest.raises(FormatError, match="must be a plain file, but is none"):
        FeatureStore(folder)


def test_a_shard_of_another_shape_is_refused(folder: Path) -> None:
    index = json.loads((folder / "index.json").read_text())
    index["num_features"] = 5
    (folder / "index.json").write_text(json.dumps(index))
    with pytest.raises(FormatError, match=r"must be float16 \[24, 2, 4, 5\]"):
        FeatureStore(folder)


def test_a_folder_without_an_index_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="signloom data features"):
        FeatureStore(tmp_path)
