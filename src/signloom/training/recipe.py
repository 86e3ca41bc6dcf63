"""Recipes: YAML files that say what to train, checked key by key before anything runs.

A recipe has `system`, `training` and the sections that its system declares (`model`, `task`,
`corpus`). Unknown keys are refused with their line and the nearest known name; values are checked
by pydantic, then against the ranges of their fields. `--set a.b=c` overrides a value.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import pydantic

from signloom.errors import ConfigError
from signloom.systems.registry import system_module
from signloom.training.documents import parse, read_text
from signloom.training.module import TrainingConfig
from signloom.training.ranges import check_ranges, shown


@dataclasses.dataclass(frozen=True)
class Recipe:
    """A checked recipe.

    Attributes:
        name: What it is called, `<system>/<corpus>`.
        system: Name of the system.
        sections: The system's configs by section name.
        training: Optimiser and course of the run.
    """

    name: str
    system: str
    sections: Mapping[str, Any]
    training: TrainingConfig

    def to_dict(self) -> dict[str, Any]:
        """Give plain data that `from_dict` reads back."""
        sections = {name: dataclasses.asdict(config) for name, config in self.sections.items()}
        return {"system": self.system, **sections, "training": dataclasses.asdict(self.training)}


def recipe_names() -> list[str]:
    """List the recipes that come with signloom."""
    root = resources.files("signloom") / "recipes"
    return sorted(
        f"{folder.name}/{file.name.removesuffix('.yaml')}"
        for folder in root.iterdir()
        if folder.is_dir()
        for file in folder.iterdir()
        if file.name.endswith(".yaml")
    )


def load_recipe(name: str, overrides: Sequence[str] = ()) -> Recipe:
    """Read a recipe by name or path and apply overrides.

    Args:
        name: A name that `recipe_names` lists, or the path of a YAML file.
        overrides: `section.key=value` texts; the value is read as YAML.

    Raises:
        ConfigError: The recipe is not there, a key is unknown or a value does not hold.
    """
    text, label = _read(name)
    values, lines = parse(text, label)
    if not isinstance(values, dict):
        raise ConfigError(f"{label} must hold sections such as `system:` and `model:`.")
    for override in overrides:
        _apply(values, override)
    stem = name if not name.endswith(".yaml") else Path(name).stem
    return from_dict(values, name=stem, label=label, lines=lines)


def from_dict(
    values: Mapping[str, Any],
    *,
    name: str,
    label: str = "the recipe",
    lines: Mapping[str, int] | None = None,
) -> Recipe:
    """Check plain data and make it a recipe; see `load_recipe`."""
    system = values.get("system")
    if not isinstance(system, str):
        raise ConfigError(f"{label} must name its `system:`.")
    module = system_module(system)
    kinds = {**module.SECTIONS, "training": TrainingConfig}
    where = _Place(label, lines or {})
    where.known("", values, ["system", *kinds])
    configs = {key: _section(kind, values.get(key), key, where) for key, kind in kinds.items()}
    training = configs.pop("training")
    return Recipe(name=name, system=system, sections=configs, training=training)


def read_overrides(kinds: Mapping[str, type[Any]], overrides: Sequence[str]) -> dict[str, Any]:
    """Make sections of their defaults and what `--set` says, without a file.

    Args:
        kinds: The sections' dataclasses by name.
        overrides: As `load_recipe`.

    Raises:
        ConfigError: A key is unknown or a value does not hold.
    """
    values: dict[str, Any] = {}
    for override in overrides:
        _apply(values, override)
    where = _Place("--set", {})
    where.known("", values, list(kinds))
    return {key: _section(kind, values.get(key), key, where) for key, kind in kinds.items()}


@dataclasses.dataclass(frozen=True)
class _Place:
    label: str
    lines: Mapping[str, int]

    def of(self, path: str) -> str:
        return f"{self.label} line {self.lines[path]}" if path in self.lines else self.label

    def known(self, section: str, values: Mapping[str, Any], names: Sequence[str]) -> None:
        for key in values:
            if key not in names:
                path = f"{section}.{key}" if section else str(key)
                near = difflib.get_close_matches(str(key), names, n=1)
                hint = f"Did you mean `{near[0]}`?" if near else f"Known: {', '.join(names)}."
                raise ConfigError(f"Unknown key `{path}` in {self.of(path)}. {hint}")


def _section(kind: type[Any], values: Any, name: str, where: _Place) -> Any:
    values = {} if values is None else values
    if not isinstance(values, dict):
        raise ConfigError(f"`{name}` in {where.of(name)} must hold keys and values.")
    where.known(name, values, [field.name for field in dataclasses.fields(kind)])
    try:
        config = pydantic.TypeAdapter(kind).validate_python(values)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        path = ".".join([name, *(str(part) for part in first["loc"])])
        raise ConfigError(
            f"`{path}` in {where.of(path)} does not hold: {first['msg']}, "
            f"but it is {shown(first['input'])}."
        ) from error
    for key, value in values.items():
        if _was_boolean(value, getattr(config, key)):
            raise ConfigError(
                f"`{name}.{key}` in {where.of(f'{name}.{key}')} must be no boolean, "
                f"but is {shown(value)}."
            )
    check_ranges(config, name)
    if hasattr(config, "check"):
        config.check()
    return config


def _was_boolean(before: Any, after: Any) -> bool:
    """Tell whether a boolean was taken as a number."""
    if isinstance(before, (list, tuple)) and isinstance(after, tuple):
        return any(map(_was_boolean, before, after))
    return isinstance(before, bool) and not isinstance(after, bool)


def _read(name: str) -> tuple[str, str]:
    packaged = resources.files("signloom") / "recipes" / f"{name}.yaml"
    if ".." not in name and packaged.is_file():
        return packaged.read_text(encoding="utf-8"), f"{name}.yaml"
    path = Path(name)
    if path.suffix == ".yaml" and path.is_file():
        return read_text(path), path.name
    raise ConfigError(
        f"`{name}` must be the path of a .yaml file or one of the recipes "
        f"{', '.join(recipe_names())}."
    )


def _apply(values: dict[str, Any], override: str) -> None:
    path, found, text = override.partition("=")
    keys = path.split(".")
    if not found or not all(keys):
        raise ConfigError(f"--set must read `section.key=value`, but is `{override}`.")
    target: Any = values
    for key in keys[:-1]:
        if target.get(key) is None:
            target[key] = {}
        target = target[key]
        if not isinstance(target, dict):
            raise ConfigError(f"--set {override}: `{key}` holds no keys.")
    target[keys[-1]], _ = parse(text, f"The value of --set {override}")
