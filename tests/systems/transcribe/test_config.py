"""What the parts of a transcription model see, and which do not go together."""

from __future__ import annotations

import pytest

from signloom.errors import ConfigError
from signloom.systems.transcribe.config import TranscribeConfig


@pytest.mark.parametrize(
    ("changes", "sights"),
    [
        ({}, ("unified",)),
        ({"self_mask": False}, ("padding",)),
        ({"decoder": "left_to_right"}, ("left_to_right",)),
        ({"decoder": "right_to_left"}, ("right_to_left",)),
        ({"decoder": "both"}, ("left_to_right", "right_to_left")),
        ({"decoder": "autoregressive", "decoder_layers": 3}, ()),
    ],
)
def test_a_decoder_has_one_sight_or_one_for_each_side(changes, sights: tuple[str, ...]) -> None:
    config = TranscribeConfig(**changes)
    config.check()
    assert config.sights == sights


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dim": 15, "num_heads": 3}, "even and a multiple of `model.num_heads`, 3, but is 15"),
        ({"dim": 10, "num_heads": 4}, "even and a multiple of `model.num_heads`, 4, but is 10"),
        ({"self_mask": False, "decoder": "both"}, "must be unified .* but is both"),
        ({"self_mask": False, "decoder": "autoregressive"}, "but is autoregressive"),
        ({"decoder": "both", "decoder_layers": 3}, "`model.decoder_layers` must be even"),
    ],
)
def test_values_that_do_not_go_together_are_refused(changes, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TranscribeConfig(**changes).check()
