"""What a run leaves behind while it goes: checkpoints, the curve, a progress bar on stderr."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lightning
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from signloom.errors import FormatError
from signloom.training.checkpoint import average_checkpoints
from signloom.training.module import SystemModule
from signloom.training.plateau import goodness

LAST = "last.ckpt"
BEST = "best.ckpt"
AVERAGE = "average.ckpt"
KEPT = "kept"
CURVE = "curve.jsonl"


class LastCheckpoint(lightning.Callback):
    """Save `last.ckpt` at the end of every interval, and `best.ckpt` where the run knows one."""

    def __init__(self, folder: Path, description: dict[str, Any]) -> None:
        self.path = folder / LAST
        self.description = description

    def on_save_checkpoint(
        self,
        trainer: lightning.Trainer,
        pl_module: lightning.LightningModule,
        checkpoint: dict[str, Any],
    ) -> None:
        """Add the description."""
        checkpoint["signloom"] = {**self.description, "step": trainer.global_step}

    def on_train_epoch_end(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule
    ) -> None:
        """Write the checkpoint, and keep it where validation has never been better."""
        # The last one comes last: a run that is killed before redoes the others.
        if isinstance(pl_module, SystemModule) and pl_module.is_best:
            trainer.save_checkpoint(self.path.with_name(BEST))
        trainer.save_checkpoint(self.path)


class BestCheckpoints(lightning.Callback):
    """Keep the checkpoints of the best validations, and at the end the mean of their weights.

    The curve says which they are, so that a resumed run goes on with those it had.

    Args:
        folder: Folder of the run.
        count: How many.
        monitor: The `dev/` measure that tells.
    """

    def __init__(self, folder: Path, *, count: int, monitor: str) -> None:
        self.folder, self.count, self.monitor = folder, count, monitor

    def on_train_epoch_end(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule
    ) -> None:
        """Keep this checkpoint if it is one of the best, and none that no longer is."""
        best = self._best()
        if trainer.global_step in best:
            trainer.save_checkpoint(self._path(trainer.global_step))
        for path in (self.folder / KEPT).glob("*.ckpt"):
            if path not in map(self._path, best):
                path.unlink()

    def on_fit_end(self, trainer: lightning.Trainer, pl_module: lightning.LightningModule) -> None:
        """Write `average.ckpt`, also where a run that is resumed was over."""
        kept = [path for path in map(self._path, self._best()) if path.is_file()]
        if kept:
            average_checkpoints(sorted(kept), self.folder / AVERAGE)

    def _best(self) -> list[int]:
        name = f"dev/{self.monitor}"
        rows = [row for row in read_curve(self.folder / CURVE) if name in row]
        rows.sort(key=lambda row: -goodness(row, self.monitor))
        return [row["step"] + 1 for row in rows[: self.count]]

    def _path(self, step: int) -> Path:
        return self.folder / KEPT / f"{step:08d}.ckpt"


class Curve(lightning.Callback):
    """Append every step's losses to `curve.jsonl`; a resumed run first drops what it will redo."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / CURVE
        self.lines: list[str] = []

    def on_train_start(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule
    ) -> None:
        """Keep the lines up to the step that the run goes on from."""
        kept = [row for row in read_curve(self.path) if row["step"] < trainer.global_step]
        self.path.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")

    def on_train_batch_end(
        self,
        trainer: lightning.Trainer,
        pl_module: lightning.LightningModule,
        outputs: Any,
        batch: Any,
        batch_idx: int,
    ) -> None:
        """Note the step's losses, of the last of the batches that it adds up."""
        if (batch_idx + 1) % trainer.accumulate_grad_batches:
            return
        self._note(trainer, trainer.global_step - 1, "train/")

    def on_validation_end(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule
    ) -> None:
        """Note the validation and write everything down."""
        self._note(trainer, trainer.global_step - 1, "dev/")
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(self.lines)
        self.lines.clear()

    def _note(self, trainer: lightning.Trainer, step: int, prefix: str) -> None:
        values = {
            name: round(float(value), 7)
            for name, value in trainer.callback_metrics.items()
            if name.startswith(prefix) and "progress" not in name
        }
        self.lines.append(json.dumps({"step": step, **values}) + "\n")


class StepProgress(lightning.Callback):
    """A progress bar over all steps of the run, on stderr."""

    def __init__(self) -> None:
        self.progress = Progress(
            TextColumn("training"),
            BarColumn(),
            TextColumn("{task.completed:.0f}/{task.total:.0f} steps"),
            TextColumn("loss {task.fields[loss]}"),
            TextColumn("dev {task.fields[dev]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )

    def on_train_start(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule
    ) -> None:
        """Show the bar."""
        self.bar = self.progress.add_task(
            "", total=trainer.max_steps, completed=trainer.global_step, loss="-", dev="-"
        )
        self.progress.start()

    def on_train_batch_end(
        self,
        trainer: lightning.Trainer,
        pl_module: lightning.LightningModule,
        outputs: Any,
        batch: Any,
        batch_idx: int,
    ) -> None:
        """Move the bar."""
        loss = f"{float(trainer.callback_metrics['train/loss']):.4f}"
        self.progress.update(self.bar, completed=trainer.global_step, loss=loss)

    def on_validation_end(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule
    ) -> None:
        """Show the validation loss."""
        self.progress.update(self.bar, dev=f"{float(trainer.callback_metrics['dev/loss']):.4f}")

    def on_exception(
        self,
        trainer: lightning.Trainer,
        pl_module: lightning.LightningModule,
        exception: BaseException,
    ) -> None:
        """Take the bar away, too."""
        self.progress.stop()

    def teardown(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule, stage: str
    ) -> None:
        """Take the bar away."""
        self.progress.stop()


def read_curve(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a curve; none when it is not there; a half-written last line is dropped.

    Raises:
        FormatError: Another line is no object with a `step`.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} must be a curve of `signloom train`, but: {error}.") from error
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict) and type(row.get("step")) is int:
            rows.append(row)
        elif number < len(lines):
            raise FormatError(
                f"{path} line {number} must be a JSON object with a `step`, but is not. "
                "Remove the line or the file."
            )
    return rows
