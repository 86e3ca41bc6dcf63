"""SATIC as a package: the graphs give what the model gives, and the package says what it is."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from signloom.data.captions.config import CaptionCorpusConfig
from signloom.errors import PackageError
from signloom.export.caption import check_parity, export_caption
from signloom.export.card import Origin, card_of
from signloom.features.regions import RegionFolder
from signloom.features.store import FeatureStore
from signloom.pipelines.caption import Captioner
from signloom.runtime.caption_settings import CaptionSettings
from signloom.runtime.package import Package
from signloom.systems.caption.config import CaptionConfig
from signloom.systems.caption.task import CaptionTask, CaptionTaskConfig
from tests.small_pictures import colour_network, write_features, write_pictures

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("caption")
    write_features(write_pictures(folder / "pictures"), folder / "features")
    return folder


@pytest.fixture(scope="module")
def task(folder: Path) -> CaptionTask:
    torch.manual_seed(0)
    corpus = CaptionCorpusConfig(
        reader="captions",
        path=str(folder / "pictures"),
        features=str(folder / "features"),
        least=1,
        max_words=7,
    )
    sizes = CaptionConfig(
        group=3, dim=12, ffn_dim=20, num_heads=3, encoder_layers=1, decoder_layers=2, norm="pre"
    )
    return CaptionTask(sizes, CaptionTaskConfig(), corpus=corpus.open(), seed=0).eval()


# The exporter is slow, so there is one export; it checks its parity with the model itself.
@pytest.fixture(scope="module")
def package(task: CaptionTask, folder: Path) -> Package:
    return export_caption(task, folder / "new", name="caption-x-v0", card="# X\n")


def test_the_package_says_what_the_model_says(
    package: Package, task: CaptionTask, folder: Path
) -> None:
    pictures = task.corpus.examples("test")
    captioner = Captioner(package.path, beam=3)
    squares = [captioner.open(one.path) for one in pictures if one.path]
    found = captioner.caption(squares)
    # The cache rounds features to half precision, which the runtime does not.
    features = [task.corpus.features.get(one.name).astype(np.float32) for one in pictures]
    assert captioner.caption_features(features) == [
        " ".join(task.words(best[0])) for best in task.caption(pictures, beam=3)
    ]
    assert [one.text for one in found] == captioner.caption_features(features)


def test_it_says_what_it_is(package: Package, task: CaptionTask) -> None:
    settings = CaptionSettings.read(package)
    assert (settings.group, settings.num_features, settings.positions) == (3, 3, 4)
    assert (settings.num_layers, settings.num_heads, settings.head_dim) == (2, 3, 4)
    assert settings.has_image_network
    assert package.graph("image") == colour_network()
    card = card_of("x", system="caption", task=task, origin=Origin(recipe="r", step=7))
    for text in ("3 words a step", "12 training pictures", "none stated", "by `colours`, 224"):
        assert text in card


def test_the_card_says_what_it_looks_at(task: CaptionTask, folder: Path, tmp_path: Path) -> None:
    corpus = copy(task.corpus)
    store = FeatureStore(folder / "features")
    store.index = replace(store.index, network="efficientnet-lite0")
    np.save(tmp_path / "a.npy", np.zeros((11, 7), np.float32))
    for features, claim in (
        (store, "by EfficientNet-Lite0 with ImageNet weights (Apache-2.0), 224"),
        (RegionFolder(tmp_path), "regions, 7 numbers each, that others have computed"),
    ):
        corpus.features = features
        other = copy(task)
        other.corpus = corpus
        assert claim in card_of(
            "x", system="caption", task=other, origin=Origin(recipe="r", step=7)
        )


def test_another_model_is_not_this_package(package: Package, task: CaptionTask) -> None:
    assert check_parity(task.model, package) < 1e-4
    torch.manual_seed(1)
    other = CaptionTask(task.model.config, CaptionTaskConfig(), corpus=task.corpus, seed=0)
    with pytest.raises(PackageError, match="The exported captioner must equal the model"):
        check_parity(other.model.eval(), package)
