"""SATIC to model package: image network, encoder and step, proved equal to torch before it is kept.

The image network is the one that made the features which the model has learned from: it lies beside
them. A model of bottom-up regions has none, and reads features.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.export import Dim

from signloom.decoders.token_adapter import TorchGroupStepper
from signloom.export.onnx import to_onnx
from signloom.export.parity import LOGIT_TOLERANCE, unequal
from signloom.export.token_graphs import MemoryGraph, StepGraph
from signloom.features.store import FeatureStore, read_network
from signloom.runtime.caption_settings import MAX_POSITIONS, CaptionSettings
from signloom.runtime.captioner import CaptionerSession
from signloom.runtime.package import Package, write_package
from signloom.search.draws import Sources
from signloom.systems.caption.model import CaptionModel
from signloom.systems.caption.task import CaptionTask

PARITY_LENGTHS = ((1,), (2, 1), (49, 7, 13))
STEPS = 4


def export_caption(
    task: CaptionTask, folder: Path, *, name: str, card: str, overwrite: bool = False
) -> Package:
    """Write a captioner as a model package.

    Args:
        task: The trained task.
        folder: Where the package goes.
        name: Name of the package, `<system>-<corpus>[-<language>]-v<N>`.
        card: What `card.md` shall hold.
        overwrite: Replace a package that lies there already.

    Raises:
        PackageError: The graphs do not give what the model gives, or the folder is taken.
        FormatError: The image network of the features was altered.
    """
    model = task.model.cpu().eval()
    graphs = caption_graphs(model)
    features = task.corpus.features
    network = read_network(features.folder) if isinstance(features, FeatureStore) else None
    if network is not None:
        graphs["image"] = network
    content: dict[str, Any] = {
        "graphs": graphs,
        "config": settings_of(task, name, has_image_network=network is not None).to_dict(),
        "vocabulary": {"tokens": list(task.corpus.vocabulary.tokens)},
        "card": card,
    }
    with tempfile.TemporaryDirectory() as scratch:
        check_parity(model, write_package(Path(scratch) / name, **content))
    return write_package(folder, **content, overwrite=overwrite)


def settings_of(task: CaptionTask, name: str, *, has_image_network: bool) -> CaptionSettings:
    """Say what running the model needs to know."""
    corpus, config = task.corpus, task.model.config
    return CaptionSettings(
        name=name,
        spoken_language=corpus.spoken_language,
        group=config.group,
        num_features=task.model.num_features,
        positions=min(MAX_POSITIONS, corpus.features.positions),
        has_image_network=has_image_network,
        max_tokens=corpus.max_tokens,
        num_layers=config.decoder_layers,
        num_heads=config.num_heads,
        head_dim=config.dim // config.num_heads,
    )


def caption_graphs(model: CaptionModel) -> dict[str, bytes]:
    """Export encoder and decoder step, for any number of pictures and of positions."""
    batch, rows = Dim("batch"), Dim("rows")
    source = _example(model, (23, 17, 9))
    features, lengths = torch.from_numpy(source.values), torch.from_numpy(source.lengths)
    seen = {
        "features": (features, {0: batch, 1: Dim("source", max=MAX_POSITIONS)}),
        "lengths": (lengths, {0: batch}),
    }
    with torch.no_grad():
        memory = model.remember(features, lengths)[0]
    written = {
        "tokens": (torch.ones(3, 2, dtype=torch.int64), {0: rows, 1: Dim("slots")}),
        "past": (torch.randn(5, 3, *memory.shape[2:]), {0: Dim("past"), 1: rows}),
        "memory": (memory, {0: rows, 1: Dim("positions")}),
        "lengths": (lengths, {0: rows}),
    }
    return {
        "encoder": to_onnx(MemoryGraph(model), seen, outputs=["memory"]),
        "step": to_onnx(StepGraph(model), written, outputs=["logits", "new"]),
    }


def check_parity(model: CaptionModel, package: Package) -> float:
    """Compare a package with its model, group after group of unequal pictures.

    Returns:
        The largest difference of a logit.

    Raises:
        PackageError: It exceeds 1e-3.
    """
    theirs, ours = TorchGroupStepper(model), CaptionerSession(package)
    worst = 0.0
    for lengths in PARITY_LENGTHS:
        source = _example(model, lengths)
        first, second = theirs.begin(source), ours.begin(source)
        tokens = np.ones((len(lengths), model.config.group), dtype=np.int64)
        for _ in range(STEPS):
            expected, first = theirs.step(tokens, first)
            found, second = ours.step(tokens, second)
            worst = max(worst, float(np.abs(expected - found).max()))
            tokens = expected.argmax(axis=-1)
    if not worst <= LOGIT_TOLERANCE:
        raise unequal("captioner", worst, tolerance=LOGIT_TOLERANCE)
    return worst


def _example(model: CaptionModel, lengths: tuple[int, ...]) -> Sources:
    """Draw features of pictures, the same ones each time."""
    shape = (len(lengths), max(lengths), model.num_features)
    values = np.random.default_rng(0).uniform(0, 6, shape).astype(np.float32)
    for row, length in zip(values, lengths, strict=True):
        row[length:] = 0
    return Sources(values, np.array(lengths, dtype=np.int64))
