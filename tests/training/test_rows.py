"""A trained task can be evaluated as it is."""

from __future__ import annotations

import pytest
import torch

from signloom.systems.registry import system_module
from signloom.training.recipe import load_recipe
from signloom.training.rows import checkpoint_row


@pytest.fixture(scope="module")
def task():
    recipe = load_recipe("produce/toy", ["model.levels=[4, 2]"])
    torch.manual_seed(0)
    return system_module("produce").build(recipe.sections, 0).eval()


def test_each_text_is_rendered_at_the_length_that_the_model_predicts(task) -> None:
    one, other = checkpoint_row(task)(["hi", "again"])
    ids = torch.tensor([task.corpus.vocabulary.encode(("h", "i"))])
    with torch.no_grad():
        length = int(task.model.read_lengths(task.model.encode(ids)[1])[0])
    assert one.frames.shape == one.unfiltered.shape == (length, 50, 3)
    assert len(other.frames) > 0
    assert (one.frames != one.unfiltered).any()


def test_tokens_may_be_cut_otherwise(task) -> None:
    cut = checkpoint_row(task, lambda text: ("h", "i"))(["anything"])
    assert (cut[0].frames == checkpoint_row(task)(["hi"])[0].frames).all()
