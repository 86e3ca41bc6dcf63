"""Several translation packages as one model: they must read and write the same things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from signloom.errors import ConfigError
from signloom.runtime.package import Package
from signloom.runtime.translate_settings import TranslateSettings
from signloom.runtime.translator import open_translator
from signloom.search.members import Members
from signloom.search.tokens import TokenStepper

_SHARED = ("source", "num_features", "fps", "languages", "unit", "kind")
"""Settings in which the members of an ensemble must agree."""


def open_ensemble(
    packages: Sequence[Package], *, samples: int = 0, seed: int = 0, threads: int = 1
) -> tuple[TranslateSettings, TokenStepper[Any]]:
    """Open packages as members of equal weight, and say what the whole reads and writes.

    Args:
        packages: At least one. The first says how to search.
        samples: Posterior samples of each; 0 takes the means.
        seed: Decides the samples.
        threads: Threads inside one operator.

    Raises:
        PackageError: A package is of another system, or its graphs do not fit.
        ConfigError: Two packages do not belong together, or there is nothing to draw samples of.
    """
    settings = [TranslateSettings.read(package) for package in packages]
    for package, one in zip(packages[1:], settings[1:], strict=True):
        _refuse_difference((packages[0], settings[0]), (package, one))
    steppers = [
        open_translator(package, samples=samples, seed=seed, threads=threads)
        for package in packages
    ]
    whole = replace(
        settings[0],
        max_source=min(one.max_source for one in settings),
        max_tokens=min(one.max_tokens for one in settings),
    )
    return whole, steppers[0] if len(steppers) == 1 else Members(steppers)


def _refuse_difference(
    first: tuple[Package, TranslateSettings], other: tuple[Package, TranslateSettings]
) -> None:
    names = f"{first[0].name} and {other[0].name}"
    for field in _SHARED:
        values = [getattr(settings, field) for _, settings in (first, other)]
        if values[0] != values[1]:
            shown = [", ".join(one) if isinstance(one, tuple) else str(one) for one in values]
            raise ConfigError(
                f"The models of an ensemble must agree in `{field}`, but {names} have "
                f"{shown[0]} and {shown[1]}. Leave one out."
            )
    for field in ("vocabulary", "source_vocabulary"):
        if getattr(first[0], field) != getattr(other[0], field):
            raise ConfigError(
                f"The models of an ensemble must share one {field.replace('_', ' ')}, but those of "
                f"{names} differ. Leave one out."
            )
