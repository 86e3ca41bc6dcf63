"""Recipes: YAML files that say what to train, checked key by key before anything runs.

A recipe has `system`, `training` and the sections that its system declares (`model`, `task`,
`corpus`). Unknown keys are refused with their line and the nearest known name; values are checked
by pydantic. `--set a.b=c` overrides a value.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import pydantic
import yaml

from signloom.errors import ConfigError
from signloom.systems.registry import system_module
from signloom.training.module import TrainingConfig


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
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"{label} must be YAML, but is not: {_one_line(error)}") from error
    if not isinstance(values, dict):
        raise ConfigError(f"{label} must hold sections such as `system:` and `model:`.")
    lines = _key_lines(node)
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
        return pydantic.TypeAdapter(kind).validate_python(values)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        path = ".".join([name, *(str(part) for part in first["loc"])])
        raise ConfigError(
            f"`{path}` in {where.of(path)} does not hold: {first['msg']}, "
            f"but it is {first['input']!r}."
        ) from error


def _read(name: str) -> tuple[str, str]:
    packaged = resources.files("signloom") / "recipes" / f"{name}.yaml"
    if ".." not in name and packaged.is_file():
        return packaged.read_text(encoding="utf-8"), f"{name}.yaml"
    path = Path(name)
    if path.suffix == ".yaml" and path.is_file():
        return path.read_text(encoding="utf-8"), path.name
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
        target = target.setdefault(key, {})
        if not isinstance(target, dict):
            raise ConfigError(f"--set {override}: `{key}` holds no keys.")
    try:
        target[keys[-1]] = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"--set {override}: the value must be YAML.") from error


def _key_lines(node: yaml.Node | None, prefix: str = "") -> dict[str, int]:
    lines: dict[str, int] = {}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            path = f"{prefix}{key.value}"
            lines[path] = key.start_mark.line + 1
            lines.update(_key_lines(value, f"{path}."))
    return lines


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
