"""Options of a reader: `name=value` texts into its frozen dataclass, checked."""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Sequence
from typing import Any, TypeVar

from signloom.errors import ConfigError

Options = TypeVar("Options")
_KINDS = {"str": str, "int": int, "float": float}
_BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}


def parse_options(kind: type[Options], texts: Sequence[str], *, reader: str) -> Options:
    """Make the options of a reader; those not named keep their defaults.

    Args:
        kind: A dataclass whose fields are `str`, `int`, `float` or `bool`.
        texts: `name=value`, each.
        reader: Its name, for messages.

    Raises:
        ConfigError: An option is unknown, has no value or not one of its type, or a value does not
            hold.
    """
    known = {field.name: str(field.type) for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for text in texts:
        name, found, value = text.partition("=")
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"Did you mean `{near[0]}`?" if near else f"Known: {', '.join(known) or 'none'}."
            raise ConfigError(f"The reader `{reader}` has no option `{name}`. {hint}")
        if not found:
            raise ConfigError(f"--set must read `{name}=value`, but is `{text}`.")
        values[name] = _converted(known[name], value, name=name)
    return kind(**values)


def _converted(type_name: str, value: str, *, name: str) -> str | int | float:
    if type_name == "bool":
        if value.lower() not in _BOOLEANS:
            raise ConfigError(f"`{name}` must be true or false, but is {value!r}.")
        return _BOOLEANS[value.lower()]
    try:
        converted: str | int | float = _KINDS[type_name](value)
    except ValueError:
        noun = {"int": "a whole number", "float": "a number"}[type_name]
        raise ConfigError(f"`{name}` must be {noun}, but is {value!r}.") from None
    if isinstance(converted, float) and not math.isfinite(converted):
        raise ConfigError(f"`{name}` must be finite, but is {value!r}.")
    return converted
