"""Models of STAMF that are small enough for tests, and clips for them."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from signloom.systems.recognize.config import RecognizeConfig
from signloom.systems.recognize.model import RecognizeModel

SMALL = {
    "embedding": "linear",
    "embedding_dim": 6,
    "keypoint_depth": 18,
    "keypoint_width": 2,
    "picture_depth": 18,
    "picture_width": 8,
    "picture_px": 32,
    "keypoint_dim": 8,
    "picture_dim": 12,
    "lstm_dim": 10,
    "lstm_layers": 1,
    "dropout": 0.0,
}


def small_config(**values) -> RecognizeConfig:
    config = RecognizeConfig(**(SMALL | values))
    config.check()
    return config


def small_model(*, num_languages: int = 1, **values) -> RecognizeModel:
    torch.manual_seed(0)
    return RecognizeModel(
        small_config(**values),
        11,
        mean=torch.randn(150),
        std=torch.rand(150) + 0.5,
        num_languages=num_languages,
    )


def clips_of(
    model: RecognizeModel, lengths: Sequence[int], *, padding: int = 0
) -> tuple[dict[str, Tensor], Tensor]:
    """Draw clips, the same ones however they are padded; what lies beyond their ends is large."""
    generator = torch.Generator().manual_seed(7)
    longest = max(lengths) + padding
    px = model.config.picture_px
    clips = {
        "poses": torch.full((len(lengths), longest, 150), 1e3),
        "confidence": torch.full((len(lengths), longest, 50), 0.7),
        "pictures": torch.full((len(lengths), longest, px, px, 3), 255, dtype=torch.uint8),
        "language": torch.arange(len(lengths)) % model.num_languages,
    }
    for row, count in enumerate(lengths):
        clips["poses"][row, :count] = torch.randn(count, 150, generator=generator)
        seen = torch.rand(count, 50, generator=generator) > 0.2
        clips["confidence"][row, :count] = seen.float()
        drawn = torch.randint(256, (count, px, px, 3), generator=generator)
        clips["pictures"][row, :count] = drawn.to(torch.uint8)
    return {name: clips[name] for name in model.inputs}, torch.tensor(lengths)
