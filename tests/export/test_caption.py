"""What a captioner's package says it is; `tests/cli/test_caption_making.py` exports one."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from signloom.data.captions.config import CaptionCorpusConfig
from signloom.export.caption import settings_of
from signloom.export.card import Origin, card_of
from signloom.features.regions import RegionFolder
from signloom.features.store import FeatureStore, PictureFeatures
from signloom.systems.caption.task import CaptionTask, CaptionTaskConfig
from tests.small_pictures import write_features, write_pictures
from tests.systems.caption.small_captioner import small_config

Seeing = Callable[[PictureFeatures], CaptionTask]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("caption")
    write_features(write_pictures(folder / "pictures"), folder / "features")
    return folder


@pytest.fixture(scope="module")
def task(folder: Path) -> CaptionTask:
    corpus = CaptionCorpusConfig(
        reader="captions",
        path=str(folder / "pictures"),
        features=str(folder / "features"),
        least=1,
        max_words=7,
    )
    return CaptionTask(small_config(group=3), CaptionTaskConfig(), corpus=corpus.open(), seed=0)


@pytest.fixture
def seeing(task: CaptionTask) -> Seeing:
    """Give a function that gives the same captioner with other features."""

    def with_features(features: PictureFeatures) -> CaptionTask:
        other = copy(task)
        other.corpus = copy(task.corpus)
        other.corpus.features = features
        return other

    return with_features


def card(task: CaptionTask) -> str:
    return card_of("x", system="caption", task=task, origin=Origin(recipe="r", step=7))


def test_the_settings_are_those_of_the_model_and_its_pictures(task: CaptionTask) -> None:
    settings = settings_of(task, "caption-x-v0", has_image_network=True)
    assert (settings.group, settings.num_features, settings.positions) == (3, 3, 4)
    assert (settings.num_layers, settings.num_heads, settings.head_dim) == (2, 3, 4)
    assert (settings.max_tokens, settings.spoken_language) == (task.corpus.max_tokens, "en")
    assert not settings_of(task, "caption-x-v0", has_image_network=False).has_image_network


def test_the_card_says_what_it_learned_from(task: CaptionTask) -> None:
    for text in ("3 words a step", "12 training pictures", "none stated", "by `colours`, 224"):
        assert text in card(task)


def test_the_card_names_the_network_whose_weights_need_a_licence(
    seeing: Seeing, folder: Path
) -> None:
    store = FeatureStore(folder / "features")
    store.index = replace(store.index, network="efficientnet-lite0")
    found = card(seeing(store))
    assert "by EfficientNet-Lite0 with ImageNet weights (Apache-2.0), 224" in found


def test_the_card_of_a_model_of_regions_says_that_it_cannot_look(
    seeing: Seeing, tmp_path: Path
) -> None:
    np.save(tmp_path / "a.npy", np.zeros((11, 7), np.float32))
    found = card(seeing(RegionFolder(tmp_path)))
    assert "regions, 7 numbers each, that others have computed" in found
    assert "Looks at pictures" not in found
