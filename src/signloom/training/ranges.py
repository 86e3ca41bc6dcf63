"""Ranges of a config's values, which its fields carry as metadata.

`field(default=1, metadata={"least": 1})`; known are `least`, `most` and `above` (not that number
itself) for a number or each number of a tuple, `odd`, and `choices`. Numbers are always finite.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from signloom.errors import ConfigError

_SHOWN = 60


def check_ranges(config: Any, section: str) -> None:
    """Check every field of a config against its range.

    Args:
        config: A dataclass instance.
        section: What its fields are named under.

    Raises:
        ConfigError: A value does not hold.
    """
    for field in dataclasses.fields(config):
        value = getattr(config, field.name)
        for one in value if isinstance(value, tuple) else (value,):
            wanted = _missed(one, field.metadata)
            if wanted:
                name = f"`{section}.{field.name}`"
                raise ConfigError(f"{name} must be {wanted}, but is {shown(value)}.")


def shown(value: Any) -> str:
    """Show a value in a message, a long one cut."""
    text = " ".join(repr(list(value) if isinstance(value, tuple) else value).split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _missed(value: Any, limits: Any) -> str | None:
    """Say what must hold and does not, or None."""
    if "choices" in limits and value not in limits["choices"]:
        return f"one of {', '.join(limits['choices'])}"
    if isinstance(value, (bool, str)) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return "finite"
    if "least" in limits and value < limits["least"]:
        return f"at least {limits['least']}"
    if "above" in limits and value <= limits["above"]:
        return f"above {limits['above']}"
    if "most" in limits and value > limits["most"]:
        return f"at most {limits['most']}"
    if limits.get("odd") and value % 2 == 0:
        return "odd"
    return None
