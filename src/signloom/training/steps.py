"""Batches by step number, for Lightning: an epoch is the steps between two checkpoints."""

from __future__ import annotations

from typing import Any

import lightning
from torch.utils.data import DataLoader, Dataset

from signloom.training.module import Task, TrainingConfig


class StepBatches(Dataset[Any]):
    """The batches of steps `first` to `first + count` of a split."""

    def __init__(self, task: Task, split: str, *, first: int, count: int) -> None:
        self.task, self.split, self.first, self.count = task, split, first, count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Any:
        if index >= self.count:
            raise IndexError(index)
        return self.task.batch(self.first + index, self.split)


class StepData(lightning.LightningDataModule):
    """Serves each epoch the batches after the last step done, so that a resumed run goes on."""

    def __init__(self, task: Task, config: TrainingConfig) -> None:
        super().__init__()
        self.task, self.config = task, config

    def train_dataloader(self) -> DataLoader[Any]:
        """Give the batches up to the next checkpoint."""
        assert self.trainer is not None
        first = self.trainer.global_step
        count = min(self.config.interval, self.config.steps - first)
        each = self.config.accumulation
        batches = StepBatches(self.task, "train", first=each * first, count=each * count)
        return DataLoader(batches, batch_size=None, shuffle=False)

    def val_dataloader(self) -> DataLoader[Any]:
        """Give the same validation batches every time."""
        batches = StepBatches(self.task, "dev", first=0, count=self.config.validation_batches)
        return DataLoader(batches, batch_size=None, shuffle=False)
