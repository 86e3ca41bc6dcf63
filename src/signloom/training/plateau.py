"""When validation no longer improves, the learning rate falls (LWTA transformer § 4)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from signloom.errors import ConfigError

HIGHER_IS_BETTER = ("bleu", "bleu4", "cider_d")


class Plateau:
    """Counts validations without improvement.

    Args:
        patience: As many lower the rate.
        factor: What the rate is then multiplied by.

    Attributes:
        share: What is left of the first rate, at most 1.
        best: The best value seen.
        waited: Validations since then, or since the rate fell.
        since: Validations since then.
        improved: Whether the last value was the best so far.

    Example:
        >>> plateau = Plateau(2, 0.5)
        >>> for value in (1.0, 0.9, 0.9, 0.8):
        ...     plateau.see(value)
        >>> plateau.share, plateau.waited
        (0.5, 1)
    """

    def __init__(self, patience: int, factor: float) -> None:
        self._patience, self._factor = patience, factor
        self.share, self.best, self.waited, self.improved = 1.0, -math.inf, 0, False
        self.since = 0

    def see(self, value: float) -> None:
        """Take in a validation; higher is better."""
        self.improved = value > self.best
        if self.improved:
            self.best, self.waited, self.since = value, 0, 0
            return
        self.waited += 1
        self.since += 1
        if self.waited == self._patience:
            self.share, self.waited = self.share * self._factor, 0

    def to_dict(self) -> dict[str, float]:
        """Give plain numbers that `restore` reads back."""
        names = ("share", "best", "waited", "since")
        return {name: float(getattr(self, name)) for name in names}

    def restore(self, values: Mapping[str, float]) -> None:
        """Stand where `to_dict` was called; what is missing stays as it is."""
        self.share = float(values.get("share", self.share))
        self.best = float(values.get("best", self.best))
        self.waited = int(values.get("waited", self.waited))
        self.since = int(values.get("since", self.since))


def goodness(measures: Mapping[str, Any], monitor: str) -> float:
    """Give a validation measure so that higher is better.

    Raises:
        ConfigError: The task measures nothing of this name.
    """
    name = f"dev/{monitor}"
    if name not in measures:
        known = sorted(one.removeprefix("dev/") for one in measures if one.startswith("dev/"))
        raise ConfigError(
            f"`training.monitor` must be one of {', '.join(known)}, but is `{monitor}`."
        )
    value = float(measures[name])
    return value if monitor in HIGHER_IS_BETTER else -value
