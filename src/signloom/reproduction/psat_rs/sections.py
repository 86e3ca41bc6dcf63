"""What `--set` may change of a table or curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from signloom.errors import ConfigError
from signloom.reproduction.plan import Request
from signloom.reproduction.psat_rs.speed import ModelSize
from signloom.training.recipe import read_overrides


def read_sections(request: Request, timing: type[Any]) -> tuple[ModelSize, Any]:
    """Read the size of the models and what is decoded.

    Args:
        request: Has the overrides.
        timing: Dataclass of the section `timing`.

    Raises:
        ConfigError: A key is unknown, a value does not hold, or models or a text are given.
    """
    refuse_models(request)
    sections = read_overrides({"model": ModelSize, "timing": timing}, request.overrides)
    return sections["model"], sections["timing"]


def refuse_models(request: Request) -> None:
    """Refuse models and a text where models with random weights are measured.

    Raises:
        ConfigError: Some are given.
    """
    if request.models or request.text is not None:
        raise ConfigError(
            "--model and --text must go with --figure 5 or 6, but this one measures models with "
            "random weights. Leave them out."
        )


def refuse_lengths(name: str, lengths: Sequence[int], *, model: ModelSize) -> None:
    """Refuse lengths that a model cannot have.

    Raises:
        ConfigError: One is above `max_frames`, or there is none.
    """
    if not lengths:
        raise ConfigError(f"`timing.{name}` must have at least one length, but is empty.")
    longest = max(lengths)
    if longest > model.max_frames:
        raise ConfigError(
            f"`timing.{name}` must be at most `model.max_frames`, {model.max_frames}, but is "
            f"{longest}."
        )
