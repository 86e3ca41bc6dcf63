"""What cannot be decoded exactly, or does not go together, is refused with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from signloom.errors import ConfigError
from signloom.systems.produce.config import ProduceConfig


@pytest.mark.parametrize(
    "changes",
    [
        {"levels": (8, 6, 4, 2)},
        {"levels": (0, 0)},
        {"levels": (0, 0), "schedule": "injected"},
        {"levels": (8, 4, 2, 1), "schedule": "injected"},
        {"levels": (1, 1), "counter": True, "source_relative": False},
    ],
)
def test_what_can_be_exact_is_allowed(changes: dict[str, Any]) -> None:
    ProduceConfig(**changes).check()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"levels": (20, 15, 12), "max_frames": 30}, r"max_frames`, 30, .* need 36"),
        ({"levels": (293, 283, 281)}, "at least every 100000 frames"),
        ({"levels": (8, 6), "schedule": "injected"}, "6 does not divide 8"),
        ({"levels": (2, 4), "schedule": "injected"}, "4 does not divide 2"),
        ({"levels": (2, 1), "counter": True, "source_relative": False}, "must be all 1"),
        ({"levels": (1, 1), "counter": True}, "is not told the length"),
    ],
)
def test_what_cannot_is_refused_with_the_reason(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        ProduceConfig(**changes).check()
