"""One training run: a recipe and a folder in, checkpoints and a curve in the folder."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import Any

import lightning
import torch
from lightning.pytorch.loggers import TensorBoardLogger

from signloom.poses.formats.atomic import held
from signloom.systems.registry import system_module
from signloom.training.callbacks import (
    CURVE,
    LAST,
    BestCheckpoints,
    Curve,
    LastCheckpoint,
    StepProgress,
    read_curve,
)
from signloom.training.checkpoint import AtomicCheckpointIO, load_weights, read_checkpoint
from signloom.training.folder import make_folder, note_recipe, refuse_accelerator, refuse_clash
from signloom.training.initialise import initialise
from signloom.training.module import BegunTask, SystemModule
from signloom.training.pictures import Pictures
from signloom.training.recipe import Recipe
from signloom.training.steps import StepData


def run(
    recipe: Recipe,
    folder: Path,
    *,
    resume: bool = False,
    progress: bool = True,
    task: Any = None,
) -> Path:
    """Train a recipe into `folder`.

    Args:
        recipe: What to train.
        folder: Gets `recipe.yaml`, `last.ckpt`, `curve.jsonl`, TensorBoard events and pictures, and
            `best.ckpt` or `average.ckpt` where the recipe asks for them.
        resume: Go on from `last.ckpt`; without one, start.
        progress: Show a progress bar on stderr.
        task: What to train; by default the task that the recipe describes.

    Returns:
        The last checkpoint.

    Raises:
        ConfigError: The recipe cannot be trained here, or the folder cannot hold its run.
        FormatError: The checkpoint or the curve to go on from is damaged, or another process trains
            in the folder.
        NonFiniteLossError: The loss became NaN or infinite.
    """
    last = folder / LAST
    refuse_accelerator(recipe.training.accelerator)
    resumed = refuse_clash(recipe, folder, resume=resume)
    if recipe.training.threads:
        torch.set_num_threads(recipe.training.threads)
    lightning.seed_everything(recipe.training.seed, verbose=False)
    if task is None:
        task = system_module(recipe.system).build(recipe.sections, recipe.training.seed)
    if resumed:
        load_weights(task, read_checkpoint(last), last)
    else:
        if isinstance(task, BegunTask):
            task.begin()
        if recipe.training.init is not None:
            only = recipe.training.init_only
            initialise(task, Path(recipe.training.init), only=only)
    make_folder(folder)
    with held(folder):
        note_recipe(folder, recipe)
        _fit(task, recipe, folder, ckpt_path=str(last) if resumed else None, progress=progress)
    return last


def _fit(task: Any, recipe: Recipe, folder: Path, *, ckpt_path: str | None, progress: bool) -> None:
    module = SystemModule(task, recipe.training)
    description = {"name": recipe.name, "recipe": recipe.to_dict()}
    callbacks: list[lightning.Callback] = [Curve(folder), Pictures(folder)]
    config = recipe.training
    if config.average > 1:
        callbacks.append(BestCheckpoints(folder, count=config.average, monitor=config.monitor))
    # Behind all others that save: what a run does not know to be done is done again.
    callbacks.append(LastCheckpoint(folder, description))
    if progress:
        callbacks.append(StepProgress())
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"(lightning|torch)\b")
        trainer = _trainer(recipe, folder, callbacks)
        try:
            trainer.fit(
                module,
                datamodule=StepData(task, recipe.training),
                ckpt_path=ckpt_path,
                weights_only=True,
            )
        except SystemExit:
            if trainer.interrupted:  # Lightning leaves the program when Ctrl-C is pressed
                raise KeyboardInterrupt from None
            raise


def summary(folder: Path) -> dict[str, Any]:
    """Give where a run stands: its last checkpoint, step and validation."""
    rows = [row for row in read_curve(folder / CURVE) if any(key.startswith("dev/") for key in row)]
    return {"checkpoint": str(folder / LAST), **(rows[-1] if rows else {})}


def _trainer(
    recipe: Recipe, folder: Path, callbacks: list[lightning.Callback]
) -> lightning.Trainer:
    logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)
    return lightning.Trainer(
        accelerator=recipe.training.accelerator,
        devices=1,
        max_steps=recipe.training.steps,
        max_epochs=-1,
        gradient_clip_val=recipe.training.gradient_clip,
        accumulate_grad_batches=recipe.training.accumulation,
        precision="bf16-mixed" if recipe.training.precision == "bfloat16" else "32-true",
        num_sanity_val_steps=0,
        reload_dataloaders_every_n_epochs=1,
        log_every_n_steps=min(10, recipe.training.interval),
        enable_progress_bar=False,
        enable_model_summary=False,
        enable_checkpointing=False,
        callbacks=callbacks,
        plugins=[AtomicCheckpointIO()],
        logger=TensorBoardLogger(str(folder), name="", version="tensorboard"),
        default_root_dir=str(folder),
    )
