"""A picture at every validation, for systems whose task draws one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lightning
import numpy as np
from lightning.pytorch.loggers import TensorBoardLogger


class Pictures(lightning.Callback):
    """Save what `task.picture` draws as `pictures/step_N.png`, and show it in TensorBoard."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "pictures"

    def on_validation_end(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule
    ) -> None:
        """Draw the first row of the first validation batch."""
        task: Any = pl_module.task
        if not hasattr(task, "picture"):
            return
        drawn = task.picture(task.batch(0, "dev"))
        self.folder.mkdir(exist_ok=True)
        drawn.save(self.folder / f"step_{trainer.global_step:06d}.png")
        logger = pl_module.logger
        if isinstance(logger, TensorBoardLogger):
            writer = logger.experiment
            writer.add_image(
                "dev/picture", np.asarray(drawn), trainer.global_step, dataformats="HWC"
            )
