"""What a step of a captioner learns from, that it learns, and how pictures are then captioned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from signloom.data.captions.config import CaptionCorpusConfig
from signloom.data.captions.corpus import CaptionCorpus
from signloom.errors import ConfigError
from signloom.metrics.cider import Cider
from signloom.systems.caption.task import CaptionTask, CaptionTaskConfig, build
from signloom.training.module import MeasuredTask
from signloom.training.recipe import load_recipe
from tests.small_pictures import write_features, write_pictures
from tests.systems.caption.small_captioner import small_config

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> CaptionCorpus:
    folder = tmp_path_factory.mktemp("colours")
    pictures = write_pictures(folder / "pictures")
    features = write_features(pictures, folder / "features")
    config = CaptionCorpusConfig(
        reader="captions", path=str(pictures), features=str(features), least=1, max_words=7
    )
    return config.open()


def new_task(
    corpus: CaptionCorpus, model: dict[str, Any] | None = None, **task: Any
) -> CaptionTask:
    torch.manual_seed(0)
    config = CaptionTaskConfig(**({"batch_size": 6, "captions": 2} | task))
    return CaptionTask(small_config(**(model or {})), config, corpus=corpus, seed=3)


def learn(task: CaptionTask, steps: int, *, lr: float = 0.01) -> list[dict[str, float]]:
    optimizer = torch.optim.Adam(task.parameters(), lr=lr)
    losses = []
    for step in range(steps):
        torch.manual_seed(step)
        optimizer.zero_grad()
        found = task.train().training_step(task.batch(step, "train"), step)
        found["loss"].backward()
        optimizer.step()
        losses.append({name: float(found[name].detach()) for name in found if name != "each"})
    return losses


@pytest.fixture(scope="module")
def taught(corpus: CaptionCorpus, tmp_path_factory) -> CaptionCorpus:
    """The same pictures, each with the one caption that a teacher gives them."""
    lines: list[dict[str, Any]] = [
        {"teacher": "x"},
        *(
            {"name": one.name, "captions": [" ".join(one.tokens[0])]}
            for one in corpus.examples("train")
        ),
    ]
    path = tmp_path_factory.mktemp("taught") / "taught.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    folder = Path(corpus.features.folder).parent
    config = CaptionCorpusConfig(
        reader="captions",
        path=str(folder / "pictures"),
        features=str(folder / "features"),
        least=1,
        max_words=7,
        taught=str(path),
    )
    return config.open()


@pytest.mark.parametrize("group", [1, 3])
def test_it_learns_to_say_the_colours(
    corpus: CaptionCorpus, taught: CaptionCorpus, group: int
) -> None:
    # Words of a group do not agree on one of two ways to say it: they need a teacher.
    learned = corpus if group == 1 else taught
    task = new_task(learned, {"group": group, "dim": 24}, smoothing=0.0)
    assert isinstance(task, MeasuredTask)
    learn(task, 160)
    pictures = learned.examples("test")
    found = [task.words(each[0]) for each in task.caption(pictures, beam=3)]
    assert all(words in one.tokens for words, one in zip(found, pictures, strict=True))
    assert task.measure()["cider_d"] > 200


def test_self_critical_training_raises_the_reward(corpus: CaptionCorpus) -> None:
    task = new_task(corpus, {"group": 2, "dim": 24}, objective="self_critical", captions=5)
    task.task = CaptionTaskConfig(batch_size=6, captions=2)
    learn(task, 25)
    task.task = CaptionTaskConfig(objective="self_critical", batch_size=6, captions=5)
    rewards = [one["reward"] for one in learn(task, 40, lr=0.01)]
    assert sum(rewards[-8:]) > 1.25 * sum(rewards[:8])


def test_draws_that_are_rewarded_alike_teach_nothing(corpus: CaptionCorpus) -> None:
    task = new_task(corpus, objective="self_critical", captions=4)
    # Nothing that is drawn is ever right: every reward is that of the others.
    references = {one.name: (("never",) * 5,) for one in corpus.examples("train")}
    kept = corpus._references
    corpus._references = references
    try:
        found = task.train().training_step(task.batch(0, "train"), 0)
    finally:
        corpus._references = kept
    assert found["reward"] == 0
    assert found["loss"] == 0


def test_a_draw_needs_another_one_to_be_compared_with() -> None:
    changes = ["task.captions=1"]
    with pytest.raises(ConfigError, match=r"`task\.captions` must be at least 2 in self-critical"):
        load_recipe("caption/flickr8k_self_critical", changes)
    assert load_recipe("caption/flickr8k", changes).sections["task"].captions == 1


def test_what_is_behind_the_end_has_no_part_in_the_loss(corpus: CaptionCorpus) -> None:
    task = new_task(corpus, {"group": 4})
    batch = task.batch(0, "dev")
    with torch.no_grad():
        whole = task.validation_step(batch)["loss"]
        longer = torch.nn.functional.pad(batch.fed, (0, 4), value=5)
        padded = torch.nn.functional.pad(batch.targets, (0, 4))
        again = task.validation_step(batch._replace(fed=longer, targets=padded))["loss"]
    torch.testing.assert_close(whole, again)


def test_a_batch_is_a_function_of_seed_and_step(corpus: CaptionCorpus) -> None:
    task = new_task(corpus)
    one, other = task.batch(5, "train"), task.batch(5, "train")
    assert torch.equal(one.fed, other.fed)
    assert torch.equal(one.features, other.features)
    assert not torch.equal(one.features, task.batch(6, "train").features)
    assert len(one.names) == 6
    assert one.pictures.tolist() == [place for place in range(6) for _ in range(2)]


def test_rewards_are_against_what_people_say(corpus: CaptionCorpus) -> None:
    pictures = corpus.examples("train")
    cider = Cider([corpus.references(one) for one in pictures])
    scores = [cider.score(one.tokens[0], corpus.references(one)) for one in pictures]
    assert min(scores) > 3


def test_recipes_build_it_and_data_that_is_not_there_is_refused(tmp_path: Path) -> None:
    sections = {
        "model": small_config(),
        "task": CaptionTaskConfig(),
        "corpus": CaptionCorpusConfig(path=str(tmp_path)),
    }
    with pytest.raises(ConfigError, match=r"`corpus\.features` must be the path of a folder"):
        build(sections, 0)
