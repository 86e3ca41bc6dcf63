"""A run can begin with the weights of another."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from signloom.errors import ConfigError
from signloom.systems.registry import system_module
from signloom.training.initialise import initialise
from signloom.training.recipe import load_recipe
from signloom.training.restore import restore
from signloom.training.run import run

pytestmark = pytest.mark.compiled


def make_task(*overrides: str):
    recipe = load_recipe("produce/toy", ["task.texts=[]", *overrides])
    return system_module("produce").build(recipe.sections, 5)


@pytest.fixture(scope="module")
def autoregressive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("at")
    recipe = load_recipe("produce/toy", ["model.levels=[1, 1]", "training.steps=2"])
    return run(recipe, folder, progress=False)


def test_a_pyramid_begins_with_the_weights_of_an_autoregressive_model(autoregressive: Path) -> None:
    task, theirs = make_task("model.levels=[4, 2]"), restore(autoregressive).task
    taken = initialise(task, autoregressive)
    ours = dict(task.named_parameters())
    assert taken == len(ours)
    for name, weight in theirs.named_parameters():
        assert torch.equal(ours[name], weight)
    mean = task.feature_mean
    assert torch.equal(mean, make_task("model.levels=[4, 2]").feature_mean)


def test_letters_go_by_name_and_new_ones_stay_as_they_were(autoregressive: Path) -> None:
    task, theirs = make_task("corpus.language=gsg"), restore(autoregressive).task
    fresh = task.model.source.words.weight.detach().clone()
    initialise(task, autoregressive)
    weight, tokens = task.model.source.words.weight, task.corpus.vocabulary.tokens
    other = theirs.corpus.vocabulary.tokens
    shared, new = tokens.index("q"), tokens.index("ß")
    assert torch.equal(weight[shared], theirs.model.source.words.weight[other.index("q")])
    assert torch.equal(weight[new], fresh[new])


def test_a_run_begins_there_and_says_so_in_its_recipe(autoregressive: Path, tmp_path: Path) -> None:
    overrides = [f"training.init={autoregressive}", "training.steps=1", "training.lr_max=1e-12"]
    last = run(load_recipe("produce/toy", overrides), tmp_path / "run", progress=False)
    theirs = dict(restore(autoregressive).task.named_parameters())
    for name, weight in restore(last).task.named_parameters():
        if weight.shape == theirs[name].shape:
            torch.testing.assert_close(weight, theirs[name], atol=1e-6, rtol=1e-5)
    assert str(autoregressive) in (tmp_path / "run" / "recipe.yaml").read_text()


def test_a_checkpoint_that_does_not_fit_is_refused(autoregressive: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="most weights fit, but of"):
        initialise(make_task("model.dim=36", "model.num_heads=2"), autoregressive)
    with pytest.raises(ConfigError, match="Train that run first"):
        initialise(make_task(), tmp_path / "none.ckpt")


def test_only_the_parts_that_are_named_begin_so(autoregressive: Path) -> None:
    task, theirs = make_task("model.levels=[4, 2]"), restore(autoregressive).task
    before = {name: weight.detach().clone() for name, weight in task.named_parameters()}
    taken = initialise(task, autoregressive, only=["encoder"])
    source = dict(theirs.named_parameters())
    for name, weight in task.named_parameters():
        inside = name.startswith("model.encoder.")
        assert torch.equal(weight, (source if inside else before)[name])
    assert taken == sum(name.startswith("model.encoder.") for name in before) > 0


def test_a_part_that_the_model_lacks_is_refused(autoregressive: Path) -> None:
    with pytest.raises(ConfigError, match="it has no `ear`"):
        initialise(make_task(), autoregressive, only=["encoder", "ear"])
