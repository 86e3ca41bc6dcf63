"""`config.json` of a captioning package holds field by field, or is refused by field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from signloom.errors import PackageError
from signloom.runtime.caption_settings import CaptionSettings
from tests.tiny_captioner import write_tiny_captioner
from tests.tiny_package import write_tiny_package


def test_settings_read_back_as_written(tmp_path: Path) -> None:
    settings = CaptionSettings(
        name="whole",
        spoken_language="de",
        group=6,
        num_features=2048,
        positions=100,
        has_image_network=False,
        max_tokens=19,
        num_layers=5,
        num_heads=3,
        head_dim=7,
        beam=4,
        length_penalty=0.6,
        suppress=False,
    )
    package = write_tiny_captioner(tmp_path / "whole", **settings.to_dict())
    assert CaptionSettings.read(package) == settings
    assert settings.kind == "captions"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"group": 33}, "`group` in .* a whole number from 1 to 32, but is '33'"),
        ({"group": 2.0}, "a whole number from 1 to 32"),
        ({"num_features": 0}, "`num_features` in .* a whole number from 1"),
        ({"positions": 10_001}, "a whole number from 1 to 10000"),
        ({"max_tokens": 10**9}, "a whole number from 1 to 1000"),
        ({"num_layers": 65}, "a whole number from 1 to 64"),
        ({"head_dim": 10**9}, "a whole number from 1 to 1024"),
        ({"beam": 65}, "a whole number from 1 to 64"),
        ({"length_penalty": -0.5}, "a number from 0 to 10"),
        ({"suppress": 1}, "`suppress` in .* must be true or false, but is '1'"),
    ],
)
def test_what_does_not_hold_is_refused_by_its_name(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(PackageError, match=message):
        CaptionSettings.read(write_tiny_captioner(tmp_path / "tiny", **changes))


def test_a_package_of_another_system_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="must be one of the system `caption`"):
        CaptionSettings.read(write_tiny_package(tmp_path / "x"))
