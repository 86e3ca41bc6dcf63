"""A captioner of one's own from the command line: pictures in, every stage, one file out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.small_pictures import write_features, write_pictures

pytestmark = pytest.mark.compiled

SMALL = [
    *("model.dim=16", "model.ffn_dim=24", "model.num_heads=2", "model.encoder_layers=1"),
    *("model.decoder_layers=1", "corpus.least=1", "corpus.max_words=7", "corpus.reader=captions"),
    *("task.batch_size=6", "training.interval=30", "training.validation_batches=1"),
    *("corpus.path=pictures", "corpus.features=features", "training.lr_max=0.01"),
]


def settings(*more: str) -> list[str]:
    return [word for one in (*SMALL, *more) for word in ("--set", one)]


def train(run: Run, recipe: str, out: str, *more: str) -> None:
    done = run("train", recipe, "--out", out, *settings(*more))
    assert done.code == 0, done.stderr


def test_pictures_become_a_package_that_captions(run: Run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SIGNLOOM_MODELS", str(tmp_path / "mine"))
    write_pictures(Path("pictures"))
    assert run("data", "validate", "pictures", "captions").code == 0
    # A folder that is begun keeps the network that it was begun with.
    write_features(Path("pictures"), Path("features"), mirrored=False)
    done = run("data", "features", "captions", "pictures", "features", "--mirror", "--json")
    facts = json.loads(done.stdout)
    assert (facts["pictures"], facts["written"], facts["refused"]) == (24, 1, 0)
    again = run("data", "features", "captions", "pictures", "features", "--mirror", "--json")
    assert json.loads(again.stdout)["kept"] == 1

    train(run, "caption/own", "ar", "training.steps=60", "training.warmup=5")
    train(
        run,
        "caption/flickr8k_self_critical",
        "sc",
        *("training.init=ar/last.ckpt", "training.steps=3", "training.lr_max=0.001"),
    )
    done = run("distill", "sc/last.ckpt", "taught.jsonl", "--beam", 3, "--best", 2, "--json")
    assert json.loads(done.stdout) == {"file": "taught.jsonl", "written": 12, "kept": 0}
    train(
        run,
        "caption/flickr8k_groups",
        "k2",
        *("training.init=sc/last.ckpt", "corpus.taught=taught.jsonl", "training.steps=30"),
    )

    done = run("export", "k2/last.ckpt", "caption-mine-v1.zip", "--tune", "--json")
    assert done.code == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["name"] == "caption-mine-v1"
    assert facts["cider_d"] > 0
    refused = run("export", "k2/last.ckpt", "caption-mine-v1.zip")
    assert "is there already. Replace it with --overwrite" in refused.stderr
    assert run("models", "install", "caption-mine-v1.zip").code == 0
    done = run("caption", "pictures/images/test_red_0.png")
    assert done.code == 0
    assert done.stdout.strip()
    corpus = ("--corpus", "pictures", "--reader", "captions")
    assert run("evaluate", "caption-mine-v1", *corpus, "--json").code == 0
    assert "CIDEr-D" in run("models", "show", "caption-mine-v1").stdout
