"""Runs that end when validation no longer improves, and leave the mean of their best weights."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from signloom.errors import FormatError
from signloom.training.callbacks import AVERAGE, BEST, CURVE, KEPT, LAST, read_curve
from signloom.training.checkpoint import average_checkpoints, read_checkpoint
from signloom.training.module import SystemModule, TrainingConfig, learning_rate
from signloom.training.recipe import Recipe, load_recipe
from signloom.training.run import run
from tests.training.test_plateau_run import Killed, Slope

pytestmark = pytest.mark.compiled

SEEN = (0.9, 0.5, 0.8, 0.6, 0.5, 0.7, 0.4, 0.41, 0.9, 0.4, 0.6, 0.2)
"""What validation gives. The best of the first ten, of equal ones the earlier: 7, 10, 8."""
INTERVAL = 2


class Measured(Slope):
    """Slides as a `Slope` does, and is measured by another list; may die when it is saved."""

    def __init__(self, dies_at: int = -1, *, dies_at_save: int = -1) -> None:
        super().__init__(dies_at)
        self.saves, self.dies_at_save = 0, dies_at_save

    def state_dict(self, *arguments: Any, **more: Any) -> Any:
        self.saves += 1
        if self.saves == self.dies_at_save:
            raise Killed
        return super().state_dict(*arguments, **more)

    def measure(self) -> dict[str, float]:
        self.measured += 1
        return {"letter_error": SEEN[int(self.measured) - 1]}


def recipe(*overrides: str) -> Recipe:
    values = {
        "schedule": "inverse_root",
        "monitor": "letter_error",
        "average": 3,
        "warmup": 2,
        "lr_max": 0.2,
        "interval": INTERVAL,
        "steps": 20,
        "validation_batches": 1,
    }
    course = [f"training.{name}={value}" for name, value in values.items()]
    return load_recipe("produce/toy", [*course, *overrides])


def train(folder: Path, *overrides: str, task: nn.Module | None = None, **more: bool) -> Path:
    run(recipe(*overrides), folder, progress=False, task=task or Measured(), **more)
    return folder


def places(path: Path) -> Tensor:
    found: Tensor = read_checkpoint(path)["state_dict"]["task.place"]
    return found


def kept(folder: Path) -> list[int]:
    """Say which validations are kept, counted from 1."""
    return sorted(int(path.stem) // INTERVAL for path in (folder / KEPT).iterdir())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(tmp_path_factory.mktemp("whole"))


def test_the_mean_of_the_best_validations_weights_is_written(whole: Path) -> None:
    assert kept(whole) == [7, 8, 10]
    rows = [places(path) for path in sorted((whole / KEPT).iterdir())]
    assert len({tuple(row.tolist()) for row in rows}) == 3
    torch.testing.assert_close(places(whole / AVERAGE), torch.stack(rows).mean(0))
    # It is a checkpoint as any other, of the last that went into it.
    assert read_checkpoint(whole / AVERAGE)["signloom"]["step"] == 10 * INTERVAL
    assert read_checkpoint(whole / BEST)["signloom"]["step"] == 7 * INTERVAL


def test_a_killed_run_averages_the_same(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(Killed):
        train(tmp_path, task=Measured(dies_at=9))
    assert not (tmp_path / AVERAGE).exists()
    train(tmp_path, resume=True)
    assert kept(tmp_path) == kept(whole)
    assert torch.equal(places(tmp_path / AVERAGE), places(whole / AVERAGE))


def test_validations_that_are_done_again_are_kept_as_they_then_are(
    whole: Path, tmp_path: Path
) -> None:
    with pytest.raises(Killed):
        train(tmp_path, task=Measured(dies_at=17))
    # As if the kill had come before the last checkpoint was written: its validation is forgotten.
    earlier = sorted((tmp_path / KEPT).iterdir())[-1]
    assert int(earlier.stem) == 8 * INTERVAL
    (tmp_path / LAST).write_bytes((tmp_path / KEPT / f"{7 * INTERVAL:08d}.ckpt").read_bytes())
    train(tmp_path, resume=True)
    assert torch.equal(places(tmp_path / AVERAGE), places(whole / AVERAGE))


def test_a_run_that_was_killed_after_its_last_step_still_writes_the_mean(tmp_path: Path) -> None:
    train(tmp_path)
    before = places(tmp_path / AVERAGE)
    (tmp_path / AVERAGE).unlink()
    train(tmp_path, resume=True)
    assert torch.equal(places(tmp_path / AVERAGE), before)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(tmp_path_factory.mktemp("short"), "training.steps=4")


@pytest.mark.parametrize("save", [4, 5, 6])
def test_a_kill_between_two_checkpoints_of_a_validation_loses_none(
    short: Path, tmp_path: Path, save: int
) -> None:
    # The second validation is the best so far: it has a checkpoint of each of the three kinds.
    with pytest.raises(Killed):
        train(tmp_path, "training.steps=4", task=Measured(dies_at_save=save))
    train(tmp_path, "training.steps=4", resume=True)
    assert kept(tmp_path) == [1, 2]
    for name in (AVERAGE, BEST, LAST):
        assert torch.equal(places(tmp_path / name), places(short / name))


def test_more_than_there_are_validations_averages_all(tmp_path: Path) -> None:
    train(tmp_path, "training.average=50", "training.steps=6")
    assert kept(tmp_path) == [1, 2, 3]
    assert (tmp_path / AVERAGE).is_file()


def test_without_an_average_nothing_is_kept(tmp_path: Path) -> None:
    train(tmp_path, "training.average=1", "training.steps=2")
    assert not (tmp_path / KEPT).exists()
    assert not (tmp_path / AVERAGE).exists()


@pytest.mark.parametrize("schedule", ["cosine", "inverse_root"])
def test_a_run_ends_when_validation_has_not_improved_for_long(
    schedule: str, tmp_path: Path
) -> None:
    chosen = ("training.stop_after=3", f"training.schedule={schedule}", "training.steps=24")
    train(tmp_path, *chosen)
    # The second is the best until the fifth, the third that does not improve on it.
    assert read_checkpoint(tmp_path / LAST)["signloom"]["step"] == 5 * INTERVAL
    assert read_checkpoint(tmp_path / BEST)["signloom"]["step"] == 2 * INTERVAL
    assert kept(tmp_path) == [2, 4, 5]
    before = read_curve(tmp_path / CURVE)
    train(tmp_path, *chosen, resume=True)
    assert read_curve(tmp_path / CURVE) == before


def test_a_killed_run_still_knows_for_how_long(tmp_path: Path) -> None:
    chosen = ("training.stop_after=3", "training.steps=24")
    with pytest.raises(Killed):
        train(tmp_path, *chosen, task=Measured(dies_at=7))
    train(tmp_path, *chosen, resume=True)
    assert read_checkpoint(tmp_path / LAST)["signloom"]["step"] == 5 * INTERVAL


def test_the_rate_falls_by_the_root_of_the_steps_after_its_warm_up() -> None:
    config = TrainingConfig(schedule="inverse_root", lr_max=0.8, warmup=4)
    rates = [learning_rate(step, config) for step in (0, 3, 4, 15, 63)]
    assert rates == pytest.approx([0.2, 0.8, 0.8 * math.sqrt(4 / 5), 0.4, 0.2])
    cold = TrainingConfig(schedule="inverse_root", lr_max=0.8, warmup=0)
    assert learning_rate(3, cold) == pytest.approx(0.4)


def test_what_adam_adds_to_its_roots_is_told() -> None:
    for epsilon in (1e-9, 0.5):
        module = SystemModule(nn.Linear(3, 1), TrainingConfig(epsilon=epsilon))
        assert module.configure_optimizers()["optimizer"].param_groups[0]["eps"] == epsilon


def test_a_mean_is_taken_of_weights_and_counts_are_the_last_ones(
    whole: Path, tmp_path: Path
) -> None:
    paths = sorted((whole / KEPT).iterdir())[:2]
    average_checkpoints(paths, tmp_path / "mean.ckpt")
    found = read_checkpoint(tmp_path / "mean.ckpt")["state_dict"]
    own = [read_checkpoint(path)["state_dict"] for path in paths]
    torch.testing.assert_close(
        found["task.place"], (own[0]["task.place"] + own[1]["task.place"]) / 2
    )
    assert found["task.measured"] == own[1]["task.measured"] == 8
    (tmp_path / "bad.ckpt").write_bytes(b"nothing")
    with pytest.raises(FormatError, match=r"bad\.ckpt must be a checkpoint"):
        average_checkpoints([paths[0], tmp_path / "bad.ckpt"], tmp_path / "no.ckpt")
    assert not (tmp_path / "no.ckpt").exists()
