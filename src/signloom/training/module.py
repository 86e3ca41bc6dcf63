"""One Lightning module for every system: it drives a task and knows nothing of what it learns.

Everything random in a step is seeded by the step's number, and a batch is a function of seed and
step, so a run that is killed and resumed follows the same curve.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

import lightning
import torch
from torch import Tensor, nn

from signloom.errors import UserError
from signloom.training.plateau import Plateau, goodness


class NonFiniteLossError(UserError):
    """The loss became NaN or infinite; the message names the samples."""


@runtime_checkable
class Task(Protocol):
    """What training asks of a system."""

    def batch(self, step: int, split: str) -> Any:
        """Build batch number `step` of a split; it has `names`, one a row."""
        ...

    def training_step(self, batch: Any, step: int) -> dict[str, Tensor]:
        """Give `loss`, `each` (the loss of every row) and whatever else to log, at a step."""
        ...

    def validation_step(self, batch: Any) -> dict[str, Tensor]:
        """Give the same for a validation batch."""
        ...


@runtime_checkable
class MeasuredTask(Task, Protocol):
    """A task that is also measured on the whole validation split."""

    def measure(self) -> dict[str, float]:
        """Give measures by name."""
        ...


@runtime_checkable
class BegunTask(Task, Protocol):
    """A task that does something before the first step of a run, and not when one is resumed."""

    def begin(self) -> None:
        """Do it; raise a `UserError` where that cannot be."""
        ...


@runtime_checkable
class ChoosyTask(Protocol):
    """A task that does not begin with the weights of every other of its system."""

    def refuse_source(self, source: Any, path: Path) -> None:
        """Raise a `ConfigError` if it cannot begin with the task of a checkpoint."""
        ...


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """The optimiser and the course of a run."""

    steps: int = field(default=8000, metadata={"least": 1, "most": 1000000000})
    """Optimiser steps."""
    lr_max: float = field(default=1e-3, metadata={"above": 0})
    """Learning rate after warm-up."""
    lr_min: float = field(default=1e-4, metadata={"least": 0})
    """Learning rate at the end of the cosine, or below which a plateau ends the run."""
    schedule: Literal["cosine", "plateau", "milestones", "inverse_root"] = "cosine"
    """Follow a cosine to the last step, fall whenever validation no longer improves, at steps that
    are named, or by the root of the steps (Vaswani et al. 2017)."""
    milestones: tuple[int, ...] = ()
    """Steps at which the rate falls."""
    monitor: str = "loss"
    """The `dev/` measure that a plateau is seen by; named, `best.ckpt` is kept by it, too."""
    patience: int = field(default=5, metadata={"least": 1})
    """Validations without improvement after which a plateau lowers the rate."""
    factor: float = field(default=0.8, metadata={"above": 0, "most": 1})
    """What a plateau or a milestone multiplies the rate by; a plateau ends the run when it falls
    below `lr_min`."""
    stop_after: int = field(default=0, metadata={"least": 0})
    """Validations without improvement of `monitor` after which the run ends; 0 = it never does."""
    average: int = field(default=1, metadata={"least": 1, "most": 1000})
    """Best validations whose weights become `average.ckpt`, their mean; 1 = none."""
    beta2: float = field(default=0.98, metadata={"least": 0, "most": 0.999999})
    """Adam's decay of squared gradients."""
    epsilon: float = field(default=1e-8, metadata={"above": 0})
    """Adam's addition to their root."""
    warmup: int = field(default=100, metadata={"least": 0})
    """Steps of linear warm-up."""
    weight_decay: float = field(default=0.01, metadata={"least": 0})
    """AdamW's weight decay."""
    gradient_clip: float = field(default=1.0, metadata={"above": 0})
    """Largest norm of the gradient."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """What is computed in; with bfloat16 weights and losses stay float32."""
    accumulation: int = field(default=1, metadata={"least": 1, "most": 10000})
    """Batches whose gradients one optimiser step adds up."""
    interval: int = field(default=200, metadata={"least": 1})
    """Steps between two checkpoints, each after a validation."""
    validation_batches: int = field(default=2, metadata={"least": 1})
    """Batches of one validation."""
    seed: int = field(default=0, metadata={"least": 0, "most": 2147483648})
    """Decides weights, batches and noise."""
    threads: int = field(default=1, metadata={"least": 0, "most": 1024})
    """CPU threads; 0 leaves PyTorch's default."""
    accelerator: str = field(default="auto", metadata={"choices": ("auto", "cpu", "gpu", "mps")})
    """Lightning's accelerator: auto, cpu, gpu, mps."""
    init: str | None = None
    """Checkpoint whose weights to begin with where name and shape agree; letters go by name."""
    init_only: tuple[str, ...] = ()
    """Parts of the model that begin so, such as `encoder`; by default all."""


def learning_rate(step: int, config: TrainingConfig) -> float:
    """Give the rate at a step: linear warm-up, then a cosine (PSAT-RS eq. 16), or as told.

    Example:
        >>> learning_rate(0, TrainingConfig(steps=10, warmup=4, lr_max=1.0, lr_min=0.1))
        0.25
    """
    if step < config.warmup:
        return config.lr_max * (step + 1) / config.warmup
    if config.schedule == "plateau":
        return config.lr_max
    if config.schedule == "milestones":
        return config.lr_max * config.factor ** sum(step >= one for one in config.milestones)
    if config.schedule == "inverse_root":
        return config.lr_max * math.sqrt(max(1, config.warmup) / (step + 1))
    share = (step - config.warmup) / max(1, config.steps - config.warmup)
    swing = 0.5 * (config.lr_max - config.lr_min)
    return config.lr_min + swing * (1 + math.cos(math.pi * min(1.0, share)))


class SystemModule(lightning.LightningModule):
    """Drives a task: optimiser, schedule, logging, the guard against NaN."""

    def __init__(self, task: nn.Module, config: TrainingConfig) -> None:
        super().__init__()
        self.task: Any = task
        self.config = config
        # Under a cosine it only knows what was best.
        factor = config.factor if config.schedule == "plateau" else 1.0
        self.plateau = Plateau(config.patience, factor)

    @property
    def is_best(self) -> bool:
        """Whether the last validation was the best so far, where one is asked for.

        It is by a plateau, or by the name of a measure to monitor.
        """
        return self.plateau.improved and self._knows_best

    @property
    def _knows_best(self) -> bool:
        config = self.config
        return config.stop_after > 0 or (config.schedule, config.monitor) != ("cosine", "loss")

    def training_step(self, batch: Any, batch_idx: int) -> Tensor:
        """Run one step; a loss that is not finite stops the run and names its samples."""
        added_up = self.config.accumulation
        number = added_up * self.global_step + batch_idx % added_up
        torch.manual_seed(self.config.seed * 1_000_003 + number)
        losses: dict[str, Tensor] = self.task.training_step(batch, self.global_step)
        each = losses.pop("each")
        self._refuse_non_finite(losses["loss"], each, batch.names)
        self.log_dict({f"train/{name}": value.detach() for name, value in losses.items()})
        self.log("train/progress_loss", losses["loss"].detach(), prog_bar=True, logger=False)
        return losses["loss"]

    def validation_step(self, batch: Any, batch_idx: int) -> None:
        """Measure one validation batch."""
        losses = self.task.validation_step(batch)
        self._refuse_non_finite(losses["loss"], losses.pop("each"), batch.names)
        size = len(batch.names)
        self.log_dict({f"dev/{name}": value for name, value in losses.items()}, batch_size=size)

    def on_validation_epoch_end(self) -> None:
        """Measure what a task measures as a whole, and see whether validation still improves."""
        if isinstance(self.task, MeasuredTask):
            self.log_dict({f"dev/{name}": value for name, value in self.task.measure().items()})

    def on_validation_end(self) -> None:
        """Lower the rate on a plateau, and end the run when it has become too low."""
        if not self._knows_best:
            return
        self.plateau.see(goodness(self.trainer.callback_metrics, self.config.monitor))
        self._end_if_over()

    def on_train_start(self) -> None:
        """Do nothing more where a plateau had ended the run that is resumed."""
        self._end_if_over()

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Keep where the plateau stands."""
        checkpoint["plateau"] = self.plateau.to_dict()

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Go on from where the plateau stood."""
        self.plateau.restore(checkpoint.get("plateau", {}))

    def _end_if_over(self) -> None:
        config = self.config
        too_low = (
            config.schedule == "plateau" and config.lr_max * self.plateau.share < config.lr_min
        )
        if too_low or 0 < config.stop_after <= self.plateau.since:
            self.trainer.should_stop = True

    def _refuse_non_finite(self, loss: Tensor, each: Tensor, names: Sequence[str]) -> None:
        if torch.isfinite(loss):
            return
        finite = torch.isfinite(each).tolist()
        bad = [name for name, good in zip(names, finite, strict=True) if not good]
        raise NonFiniteLossError(
            f"The loss must be finite, but is {loss.item()} at step {self.global_step}, in the "
            f"samples {', '.join(bad)}. Check these samples, or lower `training.lr_max`."
        )

    def configure_optimizers(self) -> Any:
        """Set up AdamW with the warm-up and cosine schedule."""
        config = self.config
        optimizer = torch.optim.AdamW(
            self.task.parameters(),
            lr=1.0,
            betas=(0.9, config.beta2),
            eps=config.epsilon,
            weight_decay=config.weight_decay,
        )
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda step: learning_rate(step, config) * self.plateau.share
        )
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}
