"""The ONNX graphs of a block model: `encoder` and `step`, with every size dynamic that can be."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.export import Dim

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
    tokens = torch.ones(3, 5, dtype=torch.int64)
    memory, _ = model.encode(tokens)
    span = model.decoder.embedding.velocity_span
    slots, past = 7, 11
    batch, count = Dim("batch"), Dim("tokens")
    return to_onnx(
        StepGraph(model),
        {
            "tokens": (tokens, {0: batch, 1: count}),
            "memory": (memory.detach(), {0: batch, 1: count}),
            "window": (
                torch.randn(3, span + slots, model.decoder.output.out_features),
                {0: batch, 1: Dim("window")},
            ),
            "position": (torch.tensor(past), {}),
            "lengths": (torch.tensor([18, 17, 9]), {0: batch}),
            "past": (torch.randn(past, 3, *memory.shape[2:]), {0: Dim("past"), 1: batch}),
        },
        outputs=["frames", "new"],
    )
