"""The ONNX graphs of a production model, with every size dynamic that can be.

The decoder is one graph `step` of the schedule `block`, or of `injected` a graph for each layer,
`layer_0`, `layer_1` …, the top one with the head in it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim

from signloom.core.cache import layer_of_memory
from signloom.export.onnx import to_onnx
from signloom.systems.produce.model import ProduceModel


class EncoderGraph(nn.Module):
    """tokens → memory, length logits."""

    def __init__(self, model: ProduceModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Run the encoder."""
        return self.model.encode(tokens)


class StepGraph(nn.Module):
    """One decoder pass → frames, keys and values to append to the cache."""

    def __init__(self, model: ProduceModel) -> None:
        super().__init__()
        self.decoder = model.decoder

    def forward(
        self,
        tokens: Tensor,
        memory: Tensor,
        window: Tensor,
        position: Tensor,
        lengths: Tensor,
        past: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Run one pass, as `PyramidDecoder.forward` describes it."""
        result: tuple[Tensor, Tensor] = self.decoder(
            window, past, memory, position=position, lengths=lengths, present=tokens != 0
        )
        return result


class LayerGraph(nn.Module):
    """One call of one decoder layer → its states or frames, keys and values to append."""

    def __init__(self, model: ProduceModel, index: int) -> None:
        super().__init__()
        self.decoder = model.decoder
        self.index = index

    def forward(
        self,
        tokens: Tensor,
        memory: Tensor,
        window: Tensor,
        position: Tensor,
        lengths: Tensor,
        past: Tensor,
        below: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Run one layer, as `PyramidDecoder.run_layer` describes it."""
        return self.decoder.run_layer(
            self.index,
            window,
            below,
            past,
            memory,
            position=position,
            lengths=lengths,
            present=tokens != 0,
        )


def decoder_graphs(model: ProduceModel) -> dict[str, bytes]:
    """Export the decoder by name of its graphs, as its schedule asks for."""
    if model.decoder.schedule.kind == "block":
        return {"step": step_graph(model)}
    return {
        f"layer_{index}": layer_graph(model, index) for index in range(len(model.decoder.layers))
    }


def encoder_graph(model: ProduceModel) -> bytes:
    """Export the encoder with a dynamic batch and number of tokens."""
    tokens = torch.ones(3, 5, dtype=torch.int64)
    batch, count = Dim("batch"), Dim("tokens")
    return to_onnx(
        EncoderGraph(model),
        {"tokens": (tokens, {0: batch, 1: count})},
        outputs=["memory", "length_logits"],
    )


def step_graph(model: ProduceModel) -> bytes:
    """Export one decoder pass with dynamic batch, tokens, slots and cache."""
    return to_onnx(StepGraph(model), _decoder_inputs(model, layer=None), outputs=["frames", "new"])


def layer_graph(model: ProduceModel, index: int) -> bytes:
    """Export one decoder layer with dynamic batch, tokens, slots and cache."""
    inputs = _decoder_inputs(model, layer=index)
    is_top = index == len(model.decoder.layers) - 1
    return to_onnx(
        LayerGraph(model, index), inputs, outputs=["frames" if is_top else "above", "new"]
    )


def _decoder_inputs(
    model: ProduceModel, *, layer: int | None
) -> dict[str, tuple[Tensor, dict[int, Any]]]:
    """Make example inputs of one layer, or of all, at slot 11 of rows of 18, 17 and 9."""
    tokens = torch.ones(3, 5, dtype=torch.int64)
    memory = model.encode(tokens)[0].detach()
    if layer is not None:
        memory = layer_of_memory(memory, layer)
    embedding = model.decoder.embedding
    slots, known = 7, 11
    batch, window = Dim("batch"), Dim("window")
    inputs: dict[str, tuple[Tensor, dict[int, Any]]] = {
        "tokens": (tokens, {0: batch, 1: Dim("tokens")}),
        "memory": (memory, {0: batch, 1: Dim("tokens")}),
        "window": (
            torch.randn(3, embedding.velocity_span + slots, embedding.num_features),
            {0: batch, 1: window},
        ),
        "position": (torch.tensor(known), {}),
        "lengths": (torch.tensor([18, 17, 9]), {0: batch}),
        "past": (torch.randn(known, 3, *memory.shape[2:]), {0: Dim("past"), 1: batch}),
    }
    if layer:
        inputs["below"] = (
            torch.randn(3, slots, embedding.dim),
            {0: batch, 1: window - embedding.velocity_span},
        )
    return inputs
