"""Translation model to model package: two graphs, their weights beside them, proved equal to torch.

The graphs take every weight as an input while they are traced, so that its name and its axes are
those of the model whatever the exporter does; the inputs are then taken away, and what the graph
lacks lies in `weights.bin`. `runtime.translator` says what the graphs take and give.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim

from signloom.core.bayesian import bayesian_layers
from signloom.export.halving import LEAST_NUMBERS
from signloom.export.onnx import to_onnx
from signloom.export.pruning import without_inputs
from signloom.export.token_graphs import MemoryGraph, StepGraph
from signloom.export.translate_parity import check_parity, example_source
from signloom.runtime.package import Package, write_package
from signloom.runtime.stored_tensor import StoredTensor, as_float16, as_float32
from signloom.runtime.translate_settings import TranslateSettings
from signloom.runtime.weights import SPREAD_SUFFIX, write_weights
from signloom.systems.translate.model import TranslateModel
from signloom.systems.translate.task import TranslateTask


def export_translate(
    task: TranslateTask,
    folder: Path,
    *,
    name: str,
    card: str,
    half: bool = False,
    overwrite: bool = False,
) -> Package:
    """Write a translator as a model package.

    Args:
        task: The trained task.
        folder: Where the package goes.
        name: Name of the package, `<system>-<corpus>[-<language>]-v<N>`.
        card: What `card.md` shall hold.
        half: Store large weights, which are rounded already, and their spreads in half
            precision; spreads are rounded here, in place.
        overwrite: Replace a package that lies there already.

    Raises:
        PackageError: The graphs do not give what the model gives, or the folder is taken.
    """
    model, corpus = task.model.cpu().eval(), task.corpus
    if half:
        _round_spreads(model)
    vocabulary = {"tokens": list(corpus.vocabulary.tokens)}
    if corpus.source_vocabulary is not None:
        vocabulary["source"] = list(corpus.source_vocabulary.tokens)
    content: dict[str, Any] = {
        "graphs": translate_graphs(model),
        "config": settings_of(task, name).to_dict(),
        "vocabulary": vocabulary,
        "card": card,
        "weights": write_weights(_stored(model, half=half)),
    }
    with tempfile.TemporaryDirectory() as scratch:
        check_parity(model, write_package(Path(scratch) / name, **content))
    return write_package(folder, **content, overwrite=overwrite)


def settings_of(task: TranslateTask, name: str) -> TranslateSettings:
    """Say what running the model needs to know."""
    model, corpus, config = task.model, task.corpus, task.model.config
    several = len(corpus.languages) > 1
    return TranslateSettings(
        name=name,
        kind=corpus.kind,
        language="mul" if several else corpus.languages[0],
        languages=corpus.languages,
        spoken_language=corpus.spoken_language,
        unit=corpus.unit,
        source=corpus.source_kind,
        num_features=corpus.num_features,
        max_source=corpus.max_source,
        max_tokens=corpus.max_tokens,
        stride=1 if corpus.source_vocabulary else config.stride,
        encoder_units=model.noisy_units,
        decoder_units=model.decoder.noisy_units,
        bayesian=config.weights == "bayesian",
        num_layers=config.decoder_layers,
        num_heads=config.num_heads,
        head_dim=config.dim // config.num_heads,
    )


def translate_graphs(model: TranslateModel) -> dict[str, bytes]:
    """Export encoder and decoder step, without their weights."""
    batch, rows = Dim("batch"), Dim("rows")
    source = example_source(model, 3, 23)
    features = source.is_floating_point()
    lengths = torch.tensor([23, 17, 9])
    positions = model.positions(23)
    inputs = {
        "features" if features else "tokens": (source, {0: batch, 1: Dim("source", max=100_000)}),
        "lengths": (lengths, {0: batch}),
    }
    if model.noisy_units:
        noise = torch.randn(3, positions, model.noisy_units)
        inputs["noise"] = (noise, {0: batch, 1: Dim.AUTO})
    encoder = _export(MemoryGraph(model), inputs, outputs=["memory"])
    memory = model.remember(source, lengths)[0].detach()
    inputs = {
        "tokens": (torch.ones(3, 2, dtype=torch.int64), {0: rows, 1: Dim("slots")}),
        "past": (torch.randn(5, 3, *memory.shape[2:]), {0: Dim("past"), 1: rows}),
        "memory": (memory, {0: rows, 1: Dim("positions")}),
        "lengths": (torch.tensor([positions, 3, 2]), {0: rows}),
    }
    if model.decoder.noisy_units:
        noise = torch.randn(3, 2, model.decoder.noisy_units)
        inputs["noise"] = (noise, {0: rows, 1: Dim("slots")})
    return {
        "encoder": encoder,
        "step": _export(StepGraph(model), inputs, outputs=["logits", "new"]),
    }


class _Unweighted(nn.Module):
    """A module whose large weights are inputs, after its own."""

    def __init__(self, module: nn.Module, names: list[str]) -> None:
        super().__init__()
        self.module, self.names = module, names

    def forward(self, *given: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        count = len(self.names)
        weights = dict(zip(self.names, given[-count:], strict=True))
        result: Tensor | tuple[Tensor, Tensor] = torch.func.functional_call(
            self.module, weights, given[:-count]
        )
        return result


def _export(
    module: nn.Module, inputs: Mapping[str, tuple[Tensor, Mapping[int, Any]]], *, outputs: list[str]
) -> bytes:
    """Export a module without the weights that it uses, which keep the names of the model."""
    used = _large_weights(module)
    weights: dict[str, tuple[Tensor, Mapping[int, Any]]] = {
        name.removeprefix("model."): (value, {}) for name, value in used.items()
    }
    unweighted = _Unweighted(module.eval(), list(used))
    graph = to_onnx(unweighted, {**inputs, **weights}, outputs=outputs, variadic=True)
    return without_inputs(graph, weights)


def _large_weights(module: nn.Module) -> dict[str, Tensor]:
    """Give the weights that lie beside the graphs: large ones, and all that are drawn."""
    drawn = {f"{name}.weight" for name in bayesian_layers(module)}
    return {
        name: weight.detach()
        for name, weight in module.named_parameters()
        if (weight.numel() >= LEAST_NUMBERS or name in drawn) and not name.endswith("raw_spread")
    }


@torch.no_grad()
def _round_spreads(model: TranslateModel) -> None:
    """Round every spread to a number of half precision above 0, so that samples stay the same."""
    for layer in bayesian_layers(model).values():
        spread = layer.spread.half().float().clamp(min=torch.finfo(torch.half).smallest_normal)
        layer.raw_spread.copy_(spread + torch.log(-torch.expm1(-spread)))


def _stored(model: TranslateModel, *, half: bool) -> dict[str, StoredTensor]:
    """Give what `weights.bin` holds: large weights, and the spreads of those that have one."""
    tensors = _large_weights(model)
    for name, layer in bayesian_layers(model).items():
        if f"{name}.weight" in tensors:
            tensors[f"{name}.weight{SPREAD_SUFFIX}"] = layer.spread.detach()
    return {
        name: (as_float16 if half and tensor.numel() >= LEAST_NUMBERS else as_float32)(
            tensor.numpy()
        )
        for name, tensor in tensors.items()
    }
