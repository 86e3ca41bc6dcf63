"""Every recipe that is shipped trains: two steps of it, with a model of toy size."""

from __future__ import annotations

from pathlib import Path

import pytest

from signloom.training.callbacks import read_curve
from signloom.training.recipe import load_recipe, recipe_names
from signloom.training.run import run
from tests.data.small_corpus import write_prepared

pytestmark = pytest.mark.compiled

SMALL = {
    "produce": ["model.dim=16", "model.ffn_dim=24", "model.num_heads=2", "model.encoder_layers=1"],
    "recognize": ["model.dim=8"],
}
SHORT = [
    *("task.batch_size=3", "task.pool=1", "training.steps=2", "training.interval=2"),
    *("training.validation_batches=1", "training.init=null"),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_prepared(tmp_path_factory.mktemp("mine"))


# Both recipes of a language after each other: they share its dictionary.
@pytest.mark.parametrize("name", sorted(recipe_names(), key=lambda name: name.split("/")[::-1]))
def test_two_steps_of_a_recipe_run(name: str, prepared: Path, tmp_path: Path) -> None:
    system = name.split("/")[0]
    recipe = load_recipe(name)
    own = [] if recipe.sections["corpus"].path is None else [f"corpus.path={prepared}"]
    small = load_recipe(name, [*SMALL[system], *SHORT, *own])
    run(small, tmp_path / "run", progress=False)
    losses = [row["train/loss"] for row in read_curve(tmp_path / "run" / "curve.jsonl")[:2]]
    assert len(losses) == 2
    assert all(0 < loss < 100 for loss in losses)
