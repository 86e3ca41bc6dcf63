"""Captioners that are small enough for tests."""

from __future__ import annotations

from typing import Any

import torch

from signloom.systems.caption.config import CaptionConfig
from signloom.systems.caption.model import CaptionModel

NUM_FEATURES, NUM_TOKENS = 5, 11


def small_config(**changes: Any) -> CaptionConfig:
    small: dict[str, Any] = {
        "dim": 12,
        "ffn_dim": 20,
        "num_heads": 3,
        "encoder_layers": 1,
        "decoder_layers": 2,
        "dropout": 0.0,
        "feature_dropout": 0.0,
    }
    config = CaptionConfig(**(small | changes))
    config.check()
    return config


def small_model(**changes: Any) -> CaptionModel:
    torch.manual_seed(0)
    return CaptionModel(small_config(**changes), NUM_TOKENS, num_features=NUM_FEATURES).eval()
