"""`config.json` of a production package holds field by field, or is refused by field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from signloom.errors import PackageError
from signloom.runtime.settings import ProduceSettings
from tests.tiny_package import write_tiny_package


def test_settings_read_back_as_written(tmp_path: Path) -> None:
    package = write_tiny_package(tmp_path / "tiny")
    settings = ProduceSettings.read(package)
    assert settings.to_dict() | {"format_version": 1} == dict(package.config)
    assert settings.levels == (4,)


def test_further_keys_are_allowed(tmp_path: Path) -> None:
    package = write_tiny_package(tmp_path / "tiny", trained_with={"steps": 7})
    assert ProduceSettings.read(package).name == "tiny"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("fps", 0),
        ("fps", 0.5),
        ("fps", 10**400),
        ("num_layers", 65),
        ("num_heads", 10**400),
        ("head_dim", 1025),
        ("levels", []),
        ("features", {"mean": [1001.0] * 150, "std": [1.0] * 150}),
        ("features", {"mean": [10**400] * 150, "std": [1.0] * 150}),
        ("features", {"mean": [0.0] * 150, "std": [-1.0] * 150}),
        ("features", {"mean": [0.0] * 150, "std": [0.0] * 150}),
        ("features", {"mean": [0.0] * 150, "std": [1001.0] * 150}),
        ("length", []),
        ("fps", "25"),
        ("max_frames", 0),
        ("max_tokens", True),
        ("max_tokens", 10**9),
        ("block", 2.5),
        ("velocity_span", -1),
        ("skeleton", "whole_body"),
        ("levels", [0]),
        ("levels", 8),
        ("features", {"mean": [0.0] * 150}),
        ("features", {"mean": [0.0] * 149, "std": [1.0] * 150}),
        ("features", {"mean": ["0"] * 150, "std": [1.0] * 150}),
        ("length", "given"),
        ("output_filter", 1),
        ("counter", 1),
        ("schedule", "pyramid"),
        ("schedule", []),
    ],
)
def test_a_field_that_does_not_hold_is_named(tmp_path: Path, key: str, value: Any) -> None:
    package = write_tiny_package(tmp_path / "tiny", **{key: value})
    with pytest.raises(PackageError, match=f"`{key}` in config.json .* must be"):
        ProduceSettings.read(package)


@pytest.mark.parametrize(
    "changes",
    [
        {"num_layers": 2},
        {"levels": [4, 2]},
        {"levels": [4, 3], "num_layers": 2},
        {"levels": [4, 2], "num_layers": 2, "schedule": "injected"},
        {"shift": 3},
        {"block": 8},
        {"velocity_span": 61},
        {"counter": True},
    ],
)
def test_fields_that_do_not_hold_together_are_refused(tmp_path: Path, changes: Any) -> None:
    package = write_tiny_package(tmp_path / "tiny", **changes)
    with pytest.raises(PackageError, match=r"In config.json .* but it has num_layers"):
        ProduceSettings.read(package)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"levels": [61], "shift": 61, "block": 61}, "a shift of at most `max_frames`, 60"),
        ({"levels": [48, 36, 24, 18], "num_layers": 4}, "need 78"),
        ({"levels": [9973, 9967], "num_layers": 2}, "begin together"),
        ({"levels": [4, 3], "num_layers": 2, "schedule": "injected"}, "divide the one before"),
    ],
)
def test_levels_that_cannot_be_exact_are_refused(tmp_path: Path, changes: Any, reason: str) -> None:
    package = write_tiny_package(tmp_path / "tiny", **changes)
    with pytest.raises(PackageError, match=f"`levels` in config.json .* do not hold: .*{reason}"):
        ProduceSettings.read(package)


def test_levels_that_do_not_nest_hold_with_their_own_shift(tmp_path: Path) -> None:
    changes = {"levels": [8, 6, 4, 2], "num_layers": 4, "shift": 12, "block": 12}
    settings = ProduceSettings.read(write_tiny_package(tmp_path / "tiny", **changes))
    assert [step.keep for step in settings.plan.plan(24)] == [4, 8, 12]


def test_packages_from_before_the_schedules_are_read(tmp_path: Path) -> None:
    package = write_tiny_package(tmp_path / "tiny")
    newer = ("schedule", "counter")
    config = {key: value for key, value in package.config.items() if key not in newer}
    settings = ProduceSettings.read(_with_config(package, config))
    assert (settings.schedule, settings.counter) == ("block", False)


@pytest.mark.parametrize("levels", [[60], [4], [1]])
def test_one_pass_pyramid_and_frame_by_frame_hold(tmp_path: Path, levels: list[int]) -> None:
    changes = {"levels": levels, "shift": levels[0], "block": levels[0]}
    package = write_tiny_package(tmp_path / "tiny", **changes)
    assert ProduceSettings.read(package).block == levels[0]


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    package = write_tiny_package(tmp_path / "tiny")
    config = {key: value for key, value in package.config.items() if key != "block"}
    with pytest.raises(PackageError, match="`block` is missing"):
        ProduceSettings.read(_with_config(package, config))


def test_a_package_of_another_system_is_refused(tmp_path: Path) -> None:
    package = write_tiny_package(tmp_path / "tiny", system="recognize")
    with pytest.raises(PackageError, match=r"system `produce`.*`recognize`"):
        ProduceSettings.read(package)


def _with_config(package: Any, config: dict[str, Any]) -> Any:
    from dataclasses import replace

    return replace(package, config=config)
