"""Transcription models that are small enough for tests."""

from __future__ import annotations

from typing import Any

import torch

from signloom.systems.transcribe.config import TranscribeConfig
from signloom.systems.transcribe.model import TranscribeModel

NUM_FEATURES, NUM_TOKENS = 7, 9


def small_config(**changes: Any) -> TranscribeConfig:
    small: dict[str, Any] = {
        "dim": 12,
        "ffn_dim": 20,
        "num_heads": 3,
        "encoder_layers": 1,
        "kernel": 3,
        "channels": 4,
        "decoder_layers": 2,
        "dropout": 0.0,
    }
    config = TranscribeConfig(**(small | changes))
    config.check()
    return config


def small_model(**changes: Any) -> TranscribeModel:
    torch.manual_seed(0)
    mean, std = torch.linspace(-1, 1, NUM_FEATURES), torch.linspace(0.5, 2, NUM_FEATURES)
    return TranscribeModel(small_config(**changes), NUM_TOKENS, mean=mean, std=std).eval()
