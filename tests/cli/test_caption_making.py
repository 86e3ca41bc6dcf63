"""A captioner of one's own from the command line: pictures in, every stage, one file out.

The exporter is slow, so there is one export; that the package gives what the model gives is tested
here, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from signloom.cli.app import main
from signloom.data.captions.looking import Looker
from signloom.errors import ConfigError, PackageError
from signloom.export.caption import check_parity
from signloom.pipelines.caption import Captioner
from signloom.runtime.image_session import NETWORK
from signloom.runtime.package import load_package
from signloom.systems.caption.task import CaptionTask, CaptionTaskConfig
from signloom.training.recipe import load_recipe
from signloom.training.restore import restore
from signloom.training.run import run as train_recipe
from tests.cli.conftest import Run
from tests.small_pictures import colour_network, write_pictures

pytestmark = pytest.mark.compiled

SMALL = [
    *("model.dim=12", "model.ffn_dim=20", "model.num_heads=3", "model.encoder_layers=1"),
    *("model.decoder_layers=2", "corpus.least=1", "corpus.max_words=7", "corpus.reader=captions"),
    *("task.batch_size=6", "training.interval=30", "training.validation_batches=1"),
    *("corpus.path=pictures", "corpus.features=features", "training.lr_max=0.01"),
]
NAME = "caption-mine-v1"


def ran(*arguments: object) -> Any:
    """Run the program, and give what it printed, read as JSON where it is that."""
    printed = StringIO()
    with redirect_stdout(printed):
        assert main([str(one) for one in arguments]) == 0, arguments
    return json.loads(printed.getvalue()) if "--json" in arguments else printed.getvalue()


def train(recipe: str, out: str, *more: str) -> None:
    settings = [word for one in (*SMALL, *more) for word in ("--set", one)]
    ran("train", recipe, "--out", out, *settings)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Go through every stage in a folder, and install what comes of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("making"))
        patch.setenv("SIGNLOOM_MODELS", str(Path("mine").absolute()))
        write_pictures(Path("pictures"))
        ran("data", "validate", "pictures", "captions")
        # A folder that is begun keeps the network that it was begun with.
        Looker(colour_network(), network=NETWORK, folder=Path("features"), mirrored=True)
        look = ("data", "features", "captions", "pictures", "features", "--mirror", "--json")
        facts = ran(*look)
        assert (facts["pictures"], facts["written"], facts["refused"]) == (24, 1, 0)
        assert ran(*look)["kept"] == 1

        train("caption/own", "ar", "training.steps=60", "training.warmup=5")
        critical = ("training.steps=3", "training.lr_max=0.001")
        train("caption/flickr8k_self_critical", "sc", "training.init=ar/last.ckpt", *critical)
        taught = ran("distill", "sc/last.ckpt", "taught.jsonl", "--beam", 3, "--best", 2, "--json")
        assert taught == {"file": "taught.jsonl", "written": 12, "kept": 0}
        begun = ("training.init=sc/last.ckpt", "corpus.taught=taught.jsonl", "training.steps=30")
        train("caption/flickr8k_groups", "k3", "model.group=3", *begun)

        facts = ran("export", "k3/last.ckpt", f"{NAME}.zip", "--tune", "--json")
        assert facts["name"] == NAME
        assert facts["cider_d"] > 0
        ran("models", "install", f"{NAME}.zip")
        yield Path.cwd()


@pytest.fixture(scope="module")
def task(place: Path) -> CaptionTask:
    found: CaptionTask = restore(place / "k3" / "last.ckpt").task
    return found.eval()


def test_pictures_become_a_package_that_captions(place: Path) -> None:
    assert ran("caption", "pictures/images/test_red_0.png").strip()
    corpus = ("--corpus", "pictures", "--reader", "captions")
    assert ran("evaluate", NAME, *corpus, "--json")["rows"][NAME]
    assert "CIDEr-D" in ran("models", "show", NAME)


def test_self_critical_training_keeps_the_groups_of_its_model(place: Path) -> None:
    recipe = load_recipe("caption/flickr8k_self_critical", [*SMALL, "training.init=k3/last.ckpt"])
    with pytest.raises(ConfigError, match=r"begins with, 3 in k3/last\.ckpt, but is 1"):
        train_recipe(recipe, Path("sc1"))
    assert not Path("sc1").exists()


def test_a_file_that_is_there_is_kept(place: Path, run: Run) -> None:
    refused = run("export", place / "k3" / "last.ckpt", place / f"{NAME}.zip")
    assert refused.code == 2
    assert "is there already. Replace it with --overwrite" in refused.stderr


def test_the_package_says_what_the_model_says(place: Path, task: CaptionTask) -> None:
    pictures = task.corpus.examples("test")
    captioner = Captioner(place / "mine" / NAME, beam=3)
    options = captioner.settings
    assert (options.group, options.num_layers, options.num_heads, options.head_dim) == (3, 2, 3, 4)
    assert captioner.package.graph("image") == colour_network()
    squares = [captioner.open(place / one.path) for one in pictures if one.path]
    # The cache rounds features to half precision, which the runtime does not.
    features = [task.corpus.features.get(one.name).astype(np.float32) for one in pictures]
    said = captioner.caption_features(features)
    assert [one.text for one in captioner.caption(squares)] == said
    found = task.caption(pictures, beam=3, length_penalty=options.length_penalty)
    assert said == [" ".join(task.words(best[0])) for best in found]


def test_another_model_is_not_this_package(place: Path, task: CaptionTask) -> None:
    package = load_package(place / "mine" / NAME)
    assert check_parity(task.model, package) < 1e-4
    torch.manual_seed(1)
    other = CaptionTask(task.model.config, CaptionTaskConfig(), corpus=task.corpus, seed=0)
    with pytest.raises(PackageError, match="The exported captioner must equal the model"):
        check_parity(other.model.eval(), package)
