"""Runs that go by their plateaus: the rate falls, they end early, and they survive a kill."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

from signloom.training.callbacks import BEST, CURVE, LAST, read_curve
from signloom.training.checkpoint import read_checkpoint
from signloom.training.recipe import Recipe, load_recipe
from signloom.training.run import run

pytestmark = pytest.mark.compiled

PLATEAU = [
    *("training.schedule=plateau", "training.monitor=letter_error", "training.patience=2"),
    *("training.factor=0.5", "training.lr_max=0.2", "training.lr_min=0.04", "training.warmup=0"),
    *("training.interval=3", "training.steps=1000", "training.validation_batches=1"),
]
SEEN = (0.9, 0.7, 0.8, 0.7, 0.6, 0.6, 0.6, 0.61, 0.62)
"""What validation gives: the rate falls after the 4th, the 7th and the 9th."""


class Killed(Exception):
    """The end of a run that nothing can be done about."""


class Rows(NamedTuple):
    """A batch of nothing but names."""

    names: tuple[str, ...]


class Slope(nn.Module):
    """Slides down |x - target|, a little further a step, and is measured by a list."""

    def __init__(self, dies_at: int = -1) -> None:
        super().__init__()
        self.place, self.dies_at = nn.Parameter(torch.tensor([3.0, -5.0])), dies_at
        self.register_buffer("measured", torch.tensor(0))

    def batch(self, step: int, split: str) -> Rows:
        if step == self.dies_at:
            raise Killed
        return Rows((f"{split} {step}",))

    def training_step(self, batch: Any, step: int) -> dict[str, Tensor]:
        each = (self.place - torch.randn(2)).abs().sum()
        return {"loss": each, "each": each.detach()[None]}

    def validation_step(self, batch: Any) -> dict[str, Tensor]:
        each = self.place.abs().sum()
        return {"loss": each, "each": each[None]}

    def measure(self) -> dict[str, float]:
        self.measured += 1
        return {"letter_error": SEEN[int(self.measured) - 1]}


def recipe(*overrides: str) -> Recipe:
    return load_recipe("produce/toy", [*PLATEAU, *overrides])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    run(recipe(), folder, progress=False, task=Slope())
    return folder


def places(folder: Path, name: str = LAST) -> Tensor:
    found: Tensor = read_checkpoint(folder / name)["state_dict"]["task.place"]
    return found


def test_the_run_ends_when_the_rate_has_fallen_below_its_least(whole: Path) -> None:
    rows = [row for row in read_curve(whole / CURVE) if "dev/letter_error" in row]
    assert [row["dev/letter_error"] for row in rows] == pytest.approx(list(SEEN))
    checkpoint = read_checkpoint(whole / LAST)
    assert checkpoint["signloom"]["step"] == 3 * len(SEEN)
    assert checkpoint["plateau"]["share"] == 0.125


def test_the_best_checkpoint_is_that_of_the_best_validation(whole: Path) -> None:
    best = read_checkpoint(whole / BEST)
    assert best["signloom"]["step"] == 3 * (1 + SEEN.index(min(SEEN)))
    assert not torch.equal(places(whole, BEST), places(whole))


def test_the_rate_is_lower_after_a_plateau(whole: Path) -> None:
    checkpoint = read_checkpoint(whole / LAST)
    # The scheduler was last asked before the last fall.
    assert checkpoint["lr_schedulers"][0]["_last_lr"] == pytest.approx([0.2 * 0.25])


def test_a_killed_run_goes_on_along_the_same_curve(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(Killed):
        run(recipe(), tmp_path, progress=False, task=Slope(dies_at=17))
    assert read_checkpoint(tmp_path / LAST)["signloom"]["step"] == 15
    run(recipe(), tmp_path, resume=True, progress=False, task=Slope())
    assert read_curve(tmp_path / CURVE) == read_curve(whole / CURVE)
    assert torch.equal(places(tmp_path), places(whole))
    assert torch.equal(places(tmp_path, BEST), places(whole, BEST))


def test_a_run_that_is_over_stays_over(whole: Path, tmp_path: Path) -> None:
    run(recipe(), tmp_path, progress=False, task=Slope())
    before = read_curve(tmp_path / CURVE)
    run(recipe(), tmp_path, resume=True, progress=False, task=Slope())
    assert read_curve(tmp_path / CURVE) == before
    assert torch.equal(places(tmp_path), places(whole))


@pytest.mark.parametrize(("monitor", "kept"), [("loss", False), ("letter_error", True)])
def test_a_cosine_keeps_the_best_of_a_measure_that_is_named(
    monitor: str, kept: bool, tmp_path: Path
) -> None:
    chosen = ("training.schedule=cosine", f"training.monitor={monitor}", "training.steps=6")
    run(recipe(*chosen), tmp_path, progress=False, task=Slope())
    assert (tmp_path / BEST).exists() == kept
    assert read_checkpoint(tmp_path / LAST)["plateau"]["share"] == 1
