"""Without a cache every schedule decodes the same frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from signloom.decoders.adapter import stepper_of
from signloom.decoders.uncached import uncached_stepper_of
from signloom.search.blocks import decode
from signloom.systems.produce.config import ProduceConfig
from signloom.systems.produce.model import ProduceModel

LENGTHS = np.array([25, 13, 1])
TOKENS = np.array([[3, 4, 5, 0, 0], [5, 6, 7, 8, 3], [4, 0, 0, 0, 0]])


@pytest.mark.parametrize(
    "changes",
    [
        {"levels": (8, 4, 2, 1)},
        {"levels": (8, 6, 4, 2)},
        {"levels": (4, 2, 1), "schedule": "injected"},
        {"levels": (1, 1)},
        {"levels": (0, 0)},
    ],
)
@pytest.mark.parametrize("rich", [False, True])
def test_uncached_equals_cached(changes: dict[str, Any], rich: bool) -> None:
    torch.manual_seed(0)
    config = ProduceConfig(
        dim=24,
        ffn_dim=20,
        num_heads=3,
        encoder_layers=1,
        max_frames=37,
        rich_semantics=rich,
        **changes,
    )
    model = ProduceModel(config, 11, num_features=9).eval()
    cached = decode(stepper_of(model), TOKENS, LENGTHS)
    uncached = decode(uncached_stepper_of(model), TOKENS, LENGTHS)
    np.testing.assert_allclose(uncached, cached, atol=1e-5, rtol=1.3e-6)
