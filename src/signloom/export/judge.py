"""Recognition model to model package: `recognizer.onnx`, proved equal to torch before it is kept.

inputs   poses float32 [B, T, F] (features of `poses.normalize`), lengths int64 [B]
outputs  log_probs float32 [B, T', V], out_lengths int64 [B]; T' = ceil(T / 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from signloom.export.onnx import to_onnx
from signloom.export.parity import RECOGNIZER_OUTPUTS, refuse_difference
from signloom.runtime.package import Package, write_package
from signloom.systems.judge.model import JudgeModel
from signloom.systems.judge.task import JudgeTask

PARITY_LENGTHS = ((1,), (2, 1), (113, 7, 60), (300,))


def export_judge(
    task: JudgeTask, folder: Path, *, name: str, card: str, overwrite: bool = False
) -> Package:
    """Write a recogniser as a model package.

    Args:
        task: The trained task.
        folder: Where the package goes.
        name: Name of the package, `<system>-<corpus>[-<language>]-v<N>`.
        card: What `card.md` shall hold.
        overwrite: Replace a package that lies there already.

    Raises:
        PackageError: The graph does not give what the model gives, or the folder is taken.
    """
    model, corpus = task.model.cpu().eval(), task.corpus
    graph = recognizer_graph(model)
    check_parity(model, graph)
    config = {
        "name": name,
        "system": "recognize",
        "kind": corpus.kind,
        "language": corpus.language,
        "spoken_language": corpus.spoken_language,
        "fps": corpus.fps,
        "skeleton": "upper_body_50",
        "reach_frames": model.config.reach,
    }
    return write_package(
        folder,
        graphs={"recognizer": graph},
        config=config,
        vocabulary={"tokens": list(corpus.vocabulary.tokens)},
        card=card,
        overwrite=overwrite,
    )


def recognizer_graph(model: JudgeModel) -> bytes:
    """Export the model for any batch and any number of frames."""
    batch, frames = torch.export.Dim("batch"), torch.export.Dim("frames", max=100_000)
    poses, lengths = _example(model, (23, 11))
    return to_onnx(
        model,
        {"poses": (poses, {0: batch, 1: frames}), "lengths": (lengths, {0: batch})},
        outputs=RECOGNIZER_OUTPUTS,
    )


def check_parity(model: JudgeModel, graph: bytes) -> float:
    """Compare the graph with the model over several lengths and unequal batches.

    Returns:
        The largest difference of a log-probability.

    Raises:
        PackageError: It exceeds 1e-4, or the steps differ.
    """
    worst = 0.0
    for lengths in PARITY_LENGTHS:
        poses, counts = _example(model, lengths)
        with torch.no_grad():
            expected, steps = model(poses, counts)
        feed = {"poses": poses.numpy(), "lengths": counts.numpy()}
        worst = max(worst, refuse_difference(graph, feed, expected=expected, steps=steps))
    return worst


def _example(model: JudgeModel, lengths: Sequence[int]) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    shape = (len(lengths), max(lengths), len(model.mean))
    poses = model.mean + model.std * torch.randn(shape, generator=generator)
    return poses, torch.tensor(lengths, dtype=torch.int64)
