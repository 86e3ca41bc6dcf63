"""Reading `config.json` by rules: what each field must be, in one way for every system.

A system's settings are a dataclass; a field with a default may be absent, as packages of older
releases lack the newer ones. Further keys are allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from typing import Any

from signloom.errors import PackageError
from signloom.runtime.package import Package, is_printed

Rule = tuple[tuple[str, ...], Callable[[Any], bool], str]
"""Names of fields, what holds of each, and the same in words."""
MAX_LANGUAGES = 1000


def read_fields(
    package: Package, settings: type[Any], *, system: str, rules: Sequence[Rule]
) -> tuple[dict[str, Any], str]:
    """Read the fields of a system's settings and check each by itself.

    Args:
        package: The package.
        settings: The dataclass that they are fields of.
        system: Which of the five systems it must be.
        rules: What must hold.

    Returns:
        The fields by name, and what messages call the file.

    Raises:
        PackageError: It is of another system, or a field is missing or does not hold.
    """
    where = f"config.json of {package.path}"
    if package.system != system:
        raise PackageError(
            f"The model must be one of the system `{system}`, but {package.name} is one of "
            f"`{package.system}`. Choose from `signloom models list`."
        )
    known = fields(settings)
    defaults = {field.name: field.default for field in known if field.default is not MISSING}
    config = defaults | dict(package.config)
    for field in known:
        if field.name not in config:
            raise PackageError(f"`{field.name}` is missing in {where}.")
    for names, holds, must in rules:
        for name in names:
            if not holds(config[name]):
                raise PackageError(
                    f"`{name}` in {where} must be {must}, but is {str(config[name])[:60]!r}."
                )
    return {field.name: config[field.name] for field in known}, where


def whole(*names: str, least: int, most: int) -> Rule:
    """Make the rule of fields that are whole numbers within bounds.

    Example:
        >>> whole("stride", least=1, most=64)[2]
        'a whole number from 1 to 64'
    """
    must = f"a whole number from {least} to {most}"
    return names, lambda value: is_whole(value, least=least, most=most), must


def number(*names: str, least: float, most: float) -> Rule:
    """Make the rule of fields that are numbers within bounds.

    Example:
        >>> number("fps", least=1.0, most=240.0)[2]
        'a number from 1 to 240'
    """
    must = f"a number from {least:g} to {most:g}"
    return names, lambda value: is_number(value, least=least, most=most), must


def switch(*names: str) -> Rule:
    """Make the rule of fields that are true or false."""
    return names, lambda value: isinstance(value, bool), "true or false"


def is_whole(value: object, *, least: int, most: int) -> bool:
    """Say whether it is a whole number within bounds."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def is_number(value: object, *, least: float, most: float) -> bool:
    """Say whether it is one; a NaN, which JSON readers let pass, is within no bounds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def is_languages(value: object) -> bool:
    """Say whether it is a list of different codes of languages."""
    return (
        isinstance(value, list)
        and 1 <= len(value) <= MAX_LANGUAGES
        and all(map(is_printed, value))
        and len(set(value)) == len(value)
    )
