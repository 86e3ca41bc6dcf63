"""A study: what all rows of the tables of one paper share; `--set study.KEY=VALUE` changes it."""

from __future__ import annotations

from typing import TypeVar

from signloom.errors import ConfigError
from signloom.reproduction.plan import Request
from signloom.training.recipe import read_overrides

_Study = TypeVar("_Study")


def read_study(request: Request, kind: type[_Study]) -> _Study:
    """Read what all rows share.

    Args:
        request: What the caller says.
        kind: The dataclass of the study.

    Raises:
        ConfigError: A key is unknown, a value does not hold, or models or a text are given.
    """
    if request.models or request.text is not None:
        raise ConfigError(
            "--model and --text must go with figures that show models, but this one trains its "
            "own. Leave them out."
        )
    study: _Study = read_overrides({"study": kind}, request.overrides)["study"]
    return study
