"""The two graphs of a transcriber, traced; `runtime.transcriber` says what they take and give."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.export import Dim

from signloom.core.cache import Memory
from signloom.core.masks import length_mask
from signloom.decoders.refinement import SideBySide
from signloom.errors import ConfigError
from signloom.export.onnx import to_onnx
from signloom.systems.transcribe.model import TranscribeModel

ENCODER_OUTPUTS = ("memory", "log_probs", "out_lengths")
DECODER_OUTPUTS = ("logits",)
_FRAMES, _SLOTS = (23, 17, 9), (5, 3, 2)


class EncoderGraph(nn.Module):
    """Features in; the decoder's memory, log-probabilities for CTC and steps out."""

    def __init__(self, model: TranscribeModel) -> None:
        super().__init__()
        self.model, self.decoder = model, refinement_of(model)

    def forward(self, features: Tensor, lengths: Tensor) -> tuple[Memory, Tensor, Tensor]:
        """Hear speech."""
        states, present = self.model.encode(features, lengths)
        return self.decoder.remember(states), self.model.read(states), present.sum(1)


class DecoderGraph(nn.Module):
    """Transcripts in, logits of every token of each out."""

    def __init__(self, model: TranscribeModel) -> None:
        super().__init__()
        self.decoder = refinement_of(model)

    def forward(self, tokens: Tensor, lengths: Tensor, memory: Memory, steps: Tensor) -> Tensor:
        """Read transcripts and predict all tokens anew."""
        present = length_mask(steps, torch.arange(memory.shape[1]))
        logits: Tensor = self.decoder(tokens, lengths, memory, present=present)
        return logits


def refinement_of(model: TranscribeModel) -> SideBySide:
    """Give the decoder of a model that refines.

    Raises:
        ConfigError: It is autoregressive.
    """
    if not isinstance(model.decoder, SideBySide):
        raise ConfigError(
            "`model.decoder` must be unified, left_to_right, right_to_left or both to be exported, "
            "but is autoregressive: it is the baseline that these are compared with."
        )
    return model.decoder


def example(
    model: TranscribeModel, frames: Sequence[int], slots: Sequence[int]
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Draw speech and transcripts that the model could be given, the same ones each time.

    Args:
        model: The model.
        frames: Frames of each row.
        slots: Tokens of each row.

    Returns:
        Features, frames of each row, tokens, tokens of each row.
    """
    generator = torch.Generator().manual_seed(0)
    mean, std = model.normalise.mean, model.normalise.std
    shape = (len(frames), max(frames), len(mean))
    features = mean + std * torch.randn(shape, generator=generator)
    counts = torch.tensor(slots)
    drawn = (len(slots), max(slots))
    tokens = torch.randint(1, model.ctc.out_features, drawn, generator=generator)
    tokens = tokens * length_mask(counts, torch.arange(max(slots)))
    return features, torch.tensor(frames), tokens, counts


def transcribe_graphs(model: TranscribeModel) -> dict[str, bytes]:
    """Export encoder and decoder for any batch, any number of frames and of tokens.

    Raises:
        ConfigError: The decoder is autoregressive.
    """
    encoder, decoder = EncoderGraph(model), DecoderGraph(model)
    features, lengths, tokens, counts = example(model, _FRAMES, _SLOTS)
    with torch.no_grad():
        memory, _, steps = encoder(features, lengths)
    rows = Dim("rows")
    heard = {
        "features": (features, {0: rows, 1: Dim("frames", max=100_000)}),
        "lengths": (lengths, {0: rows}),
    }
    read = {
        "tokens": (tokens, {0: rows, 1: Dim("slots")}),
        "lengths": (counts, {0: rows}),
        "memory": (memory, {0: rows, 1: Dim("positions")}),
        "steps": (steps, {0: rows}),
    }
    return {
        "encoder": to_onnx(encoder, heard, outputs=ENCODER_OUTPUTS),
        "decoder": to_onnx(decoder, read, outputs=DECODER_OUTPUTS),
    }
