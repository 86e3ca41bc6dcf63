"""Every recipe that is shipped trains: two steps of it, with a model of toy size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from signloom.data.captions.config import CaptionCorpusConfig
from signloom.data.corpora.clip_config import ClipCorpusConfig
from signloom.data.corpora.pair_config import PairCorpusConfig
from signloom.data.speech.config import SpeechCorpusConfig
from signloom.training.callbacks import read_curve
from signloom.training.recipe import load_recipe, recipe_names
from signloom.training.run import run
from tests.data.corpora.test_feature_files import write as write_features
from tests.data.small_corpus import write_prepared
from tests.small_digits import write_digits
from tests.small_pictures import write_features as write_colours
from tests.small_pictures import write_pictures
from tests.small_translator import write_text

pytestmark = pytest.mark.compiled

SMALL = {
    "produce": ["model.dim=16", "model.ffn_dim=24", "model.num_heads=2", "model.encoder_layers=1"],
    "judge": ["model.dim=8"],
    "caption": [
        *("model.dim=16", "model.ffn_dim=24", "model.num_heads=2", "model.encoder_layers=1"),
        *("model.decoder_layers=1", "corpus.least=1", "corpus.max_words=7", "corpus.options=[]"),
    ],
    "translate": [
        *("model.dim=16", "model.ffn_dim=24", "model.num_heads=2", "model.encoder_layers=1"),
        *("model.decoder_layers=1", "corpus.least=1"),
    ],
    "recognize": [
        *("model.embedding_dim=6", "model.keypoint_depth=18", "model.keypoint_width=2"),
        *("model.picture_depth=18", "model.picture_width=8", "model.picture_px=32"),
        *("model.keypoint_dim=8", "model.picture_dim=12", "model.lstm_dim=10"),
        *("augment.resized_px=36", "training.precision=float32", "training.milestones=[1]"),
    ],
    "transcribe": [
        *("model.dim=16", "model.ffn_dim=24", "model.num_heads=2", "model.encoder_layers=1"),
        *("model.decoder_layers=1", "model.channels=2", "training.accumulation=1"),
    ],
}
SHORT = [
    *("task.batch_size=3", "training.steps=2", "training.interval=2"),
    *("training.validation_batches=1", "training.init=null"),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_prepared(tmp_path_factory.mktemp("mine"))


def own_corpus(corpus: Any, prepared: Path, folder: Path) -> list[str]:
    """Put small data of our own in the place of what a recipe names."""
    if isinstance(corpus, ClipCorpusConfig):
        if corpus.reader is None:
            return ["corpus.languages=[ase]"]
        clips = [f"corpus.path={prepared.parent / 'source'}", "corpus.reader=folder"]
        return [*clips, "corpus.options=[]", "corpus.rendered_px=40"]
    if isinstance(corpus, CaptionCorpusConfig):
        pictures = write_pictures(folder / "pictures")
        features = write_colours(pictures, folder / "features")
        own = [f"corpus.path={pictures}", f"corpus.features={features}", 'corpus.taught=""']
        return [*own, "corpus.reader=captions"]
    if isinstance(corpus, SpeechCorpusConfig):
        digits = write_digits(folder / "digits", speakers={"ann": 0.5}, takes=(1, 6, 20))
        strings = [f"corpus.path={digits}", "corpus.reader=fsdd-strings", "corpus.options=[]"]
        return [*strings, *(f"corpus.num_{split}=3" for split in ("train", "dev", "test"))]
    if not isinstance(corpus, PairCorpusConfig):
        return [] if corpus.path is None else [f"corpus.path={prepared}"]
    if corpus.kind == "fingerspelling":
        return ["corpus.languages=[ase, lls]"]
    if corpus.kind == "features":
        return [f"corpus.source={write_features(folder)}"]
    source, target = write_text(folder)
    return [f"corpus.source={source}", f"corpus.target={target}"]


# Both recipes of a language after each other: they share its dictionary.
@pytest.mark.parametrize("name", sorted(recipe_names(), key=lambda name: name.split("/")[::-1]))
def test_two_steps_of_a_recipe_run(name: str, prepared: Path, tmp_path: Path) -> None:
    system = name.split("/")[0]
    own = own_corpus(load_recipe(name).sections["corpus"], prepared, tmp_path)
    pool = [] if system == "caption" else ["task.pool=1"]
    small = load_recipe(name, [*SMALL[system], *SHORT, *pool, *own])
    run(small, tmp_path / "run", progress=False)
    losses = [row["train/loss"] for row in read_curve(tmp_path / "run" / "curve.jsonl")[:2]]
    assert len(losses) == 2
    # What is drawn and rewarded may cost less than nothing.
    least = -100 if "self_critical" in name else 0
    assert all(least < loss < 100 for loss in losses)
