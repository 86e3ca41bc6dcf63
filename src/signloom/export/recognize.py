"""STAMF to model package: `recognizer.onnx`, proved equal to torch before it is kept.

inputs   some of poses float32 [B, T, 150], confidence float32 [B, T, 50], pictures uint8
         [B, T, P, P, 3], language int64 [B]; and lengths int64 [B]
outputs  log_probs float32 [B, T', V], out_lengths int64 [B]; T' = ⌈T / stride⌉

Beside the tokens the vocabulary holds the n-grams of the training sentences, of which the runtime
makes its language model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim

from signloom.data.corpora.clip_corpus import ClipCorpus
from signloom.export.onnx import to_onnx
from signloom.export.parity import RECOGNIZER_OUTPUTS, refuse_difference
from signloom.features.frames import MAX_FRAMES
from signloom.runtime.package import Package, write_package
from signloom.runtime.recognize_settings import RecognizeSettings
from signloom.search.ngram import count
from signloom.systems.recognize.config import RecognizeConfig
from signloom.systems.recognize.model import RecognizeModel
from signloom.systems.recognize.task import RecognizeTask

BEAM = 10
"""Beginnings that a package keeps a step unless asked otherwise, as published."""
LEAST_LONGEST = 1000
"""Frames that a package with attention reads at once at least."""
_EXAMPLE_LENGTHS = (23, 11)
_PARITY_LENGTHS = ((1,), (2, 1), (57, 7, 30), (121,))


def export_recognize(
    task: RecognizeTask, folder: Path, *, name: str, card: str, overwrite: bool = False
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
    model = task.model.cpu().eval()
    graph = recognize_graph(model)
    check_parity(model, graph)
    vocabulary: dict[str, Any] = {"tokens": list(task.corpus.vocabulary.tokens)}
    sentences = [task.corpus.vocabulary.encode(one.tokens) for one in task.corpus.examples("train")]
    if task.task.ngram_order and sentences:
        vocabulary["ngrams"] = count(sentences, task.task.ngram_order)
    return write_package(
        folder,
        graphs={"recognizer": graph},
        config=settings_of(task, name).to_dict(),
        vocabulary=vocabulary,
        card=card,
        overwrite=overwrite,
    )


def settings_of(task: RecognizeTask, name: str) -> RecognizeSettings:
    """Say what running the model needs to know."""
    corpus, config = task.corpus, task.model.config
    reads_pictures = "pictures" in config.inputs
    return RecognizeSettings(
        name=name,
        kind=corpus.kind,
        languages=corpus.languages,
        spoken_language=corpus.spoken_language,
        unit="letters" if corpus.unit == "letters" else "glosses",
        inputs=task.model.inputs,
        fps=corpus.fps,
        picture_px=config.picture_px if reads_pictures else 0,
        resized_px=task.variation.resized_px if reads_pictures else 0,
        stride=config.stride,
        piece_frames=piece(corpus),
        max_frames=longest(config, corpus.max_frames),
        beam=BEAM,
    )


def piece(corpus: ClipCorpus) -> int:
    """Say beyond how many frames recordings are cut where they pause.

    What is spelled may be cut at any pause, and is cut well within what was learned, for long texts
    are spelled in passages with longer pauses between them; sentences are only cut beyond it.
    """
    learned = min(corpus.max_frames, MAX_FRAMES)
    return 2 * learned // 3 if corpus.unit == "letters" else learned


def longest(config: RecognizeConfig, learned: int) -> int:
    """Say how many frames may be read at once.

    Attention has learned the lengths of its clips, and takes memory by their square.

    Args:
        config: Where attention is placed.
        learned: Frames of the longest training clip.
    """
    attends = config.spatial_attention or config.early_attention or config.late_attention
    return min(MAX_FRAMES, max(LEAST_LONGEST, 4 * learned)) if attends else MAX_FRAMES


def recognize_graph(model: RecognizeModel) -> bytes:
    """Export the model for any batch and any number of frames."""
    batch, frames = Dim("batch"), Dim("frames", max=100_000)
    clips, lengths = example_clips(model, _EXAMPLE_LENGTHS)
    inputs: dict[str, tuple[Tensor, Mapping[int, Any]]] = {
        name: (array, {0: batch} if name == "language" else {0: batch, 1: frames})
        for name, array in clips.items()
    }
    inputs["lengths"] = (lengths, {0: batch})
    return to_onnx(_Graph(model), inputs, outputs=RECOGNIZER_OUTPUTS, variadic=True)


def check_parity(model: RecognizeModel, graph: bytes) -> float:
    """Compare the graph with the model over several lengths and unequal batches.

    Returns:
        The largest difference of a log-probability.

    Raises:
        PackageError: It exceeds 1e-4, or the steps differ.
    """
    worst = 0.0
    for lengths in _PARITY_LENGTHS:
        clips, counts = example_clips(model, lengths)
        with torch.no_grad():
            expected, steps = model(clips, counts)
        feed = {name: array.numpy() for name, array in (clips | {"lengths": counts}).items()}
        worst = max(worst, refuse_difference(graph, feed, expected=expected, steps=steps))
    return worst


def example_clips(
    model: RecognizeModel, lengths: Sequence[int]
) -> tuple[dict[str, Tensor], Tensor]:
    """Draw clips that the model could be given, the same ones each time."""
    generator = torch.Generator().manual_seed(0)
    shape, px = (len(lengths), max(lengths)), model.config.picture_px
    drawn = {
        "poses": torch.randn(*shape, 150, generator=generator),
        "confidence": (torch.rand(*shape, 50, generator=generator) > 0.2).float(),
        "pictures": torch.zeros(*shape, px, px, 3, dtype=torch.uint8),
        "language": torch.arange(len(lengths)) % max(1, model.num_languages),
    }
    drawn["pictures"] = torch.randint(256, drawn["pictures"].shape, generator=generator).to(
        torch.uint8
    )
    return {name: drawn[name] for name in model.inputs}, torch.tensor(lengths)


class _Graph(nn.Module):
    """The model with its arrays one after another."""

    def __init__(self, model: RecognizeModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, *arrays: Tensor) -> tuple[Tensor, Tensor]:
        clips = dict(zip(self.model.inputs, arrays[:-1], strict=True))
        found: tuple[Tensor, Tensor] = self.model(clips, arrays[-1])
        return found
