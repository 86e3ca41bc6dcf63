"""Gradients that are added up, numbers of half the bits, and rates that fall at milestones."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

from signloom.training.callbacks import CURVE, read_curve
from signloom.training.checkpoint import read_checkpoint
from signloom.training.module import TrainingConfig, learning_rate
from signloom.training.recipe import Recipe, load_recipe
from signloom.training.run import run

pytestmark = pytest.mark.compiled


class Rows(NamedTuple):
    """A batch: which one it is."""

    names: tuple[str, ...]
    number: int


class Line(nn.Module):
    """Learns a number, a batch pulling it to its own; remembers what it has seen."""

    def __init__(self) -> None:
        super().__init__()
        self.place = nn.Linear(1, 1, bias=False)
        self.seen: list[int] = []
        self.kinds: set[torch.dtype] = set()
        self.begun = 0

    def begin(self) -> None:
        self.begun += 1

    def batch(self, step: int, split: str) -> Rows:
        return Rows((f"{split} {step}",), step)

    def training_step(self, batch: Rows, step: int) -> dict[str, Tensor]:
        self.seen.append(batch.number)
        value = self.place(torch.ones(1, 1))
        self.kinds.add(value.dtype)
        each = (value.float() - batch.number - torch.randn(1)).square().sum()
        return {"loss": each, "each": each.detach()[None]}

    def validation_step(self, batch: Any) -> dict[str, Tensor]:
        each = self.place.weight.square().sum()
        return {"loss": each, "each": each[None]}


def recipe(**changes: Any) -> Recipe:
    values = {"steps": 4, "interval": 2, "warmup": 0, "validation_batches": 1} | changes
    return load_recipe("produce/toy", [f"training.{key}={value}" for key, value in values.items()])


def train(folder: Path, task: Line, *, resume: bool = False, **changes: Any) -> Tensor:
    last = run(recipe(**changes), folder, task=task, progress=False, resume=resume)
    weights: Tensor = read_checkpoint(last)["state_dict"]["task.place.weight"]
    return weights


def test_a_step_adds_up_the_next_batches_and_notes_one_line(tmp_path: Path) -> None:
    task = Line()
    train(tmp_path, task, accumulation=3)
    assert task.seen == list(range(12))
    rows = [row for row in read_curve(tmp_path / CURVE) if "train/loss" in row]
    assert [row["step"] for row in rows] == [0, 1, 2, 3]


def test_a_resumed_run_adds_up_the_same_batches(tmp_path: Path) -> None:
    torch.manual_seed(0)
    whole = Line()
    start = {name: value.clone() for name, value in whole.state_dict().items()}
    unbroken = train(tmp_path / "whole", whole, accumulation=3)
    first, second = Line(), Line()
    first.load_state_dict(start)

    class Killed(Exception):
        pass

    inner = first.batch

    def dies(step: int, split: str) -> Rows:
        if step == 7:
            raise Killed
        return inner(step, split)

    first.batch = dies  # type: ignore[method-assign]
    with pytest.raises(Killed):
        train(tmp_path / "broken", first, accumulation=3)
    resumed = train(tmp_path / "broken", second, resume=True, accumulation=3)
    torch.testing.assert_close(resumed, unbroken)
    assert second.seen == list(range(6, 12))
    assert (first.begun, second.begun) == (1, 0)


def test_bfloat16_computes_in_it_and_keeps_weights_whole(tmp_path: Path) -> None:
    task = Line()
    weights = train(tmp_path, task, precision="bfloat16")
    assert task.kinds == {torch.bfloat16}
    assert weights.dtype == torch.float32


def test_rates_fall_at_milestones() -> None:
    config = TrainingConfig(
        schedule="milestones", milestones=(3, 5), factor=0.5, lr_max=8.0, warmup=2
    )
    rates = [learning_rate(step, config) for step in range(7)]
    assert rates == [4.0, 8.0, 8.0, 4.0, 4.0, 2.0, 2.0]
