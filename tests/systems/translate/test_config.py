"""What does not go together is refused with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from signloom.errors import ConfigError
from signloom.systems.translate.config import TranslateConfig


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"dim": 12, "num_heads": 3, "ffn_dim": 20},
        {"dim": 10, "num_heads": 5, "ffn_dim": 7, "units": "relu"},
        {"dim": 12, "num_heads": 3, "ffn_dim": 21, "block": 3},
        {"stack": 9, "stride": 4},
    ],
)
def test_what_goes_together_is_allowed(changes: dict[str, Any]) -> None:
    TranslateConfig(**changes).check()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"dim": 15, "num_heads": 3, "units": "relu"}, r"must be even .* but is 15"),
        ({"dim": 16, "num_heads": 3}, r"multiple of `model.num_heads`, 3, but is 16"),
        ({"dim": 18, "num_heads": 3}, r"`model.dim` must be a multiple of `model.block`, 4"),
        ({"ffn_dim": 30}, r"`model.ffn_dim` must be a multiple of `model.block`, 4, but is 30"),
        ({"stack": 3, "stride": 4}, "frames would be passed over"),
    ],
)
def test_what_does_not_is_refused_with_the_reason(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        TranslateConfig(**changes).check()


def test_layers_are_made_of_what_the_config_says() -> None:
    config = TranslateConfig(
        units="relu", weights="point", block=3, temperature=0.5, initial_spread=0.1
    )
    dense = config.dense
    assert (dense.units, dense.weights, dense.block) == ("relu", "point", 3)
    assert (dense.temperature, dense.initial_spread) == (0.5, 0.1)
