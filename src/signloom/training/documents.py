"""YAML read as plain data of bounded size: no aliases, no tags that run code, one line a fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from signloom.errors import ConfigError

MAX_BYTES = 1_000_000
MAX_DEPTH = 20


def read_text(path: Path) -> str:
    """Read a file of at most 1 MB as UTF-8.

    Raises:
        ConfigError: It cannot be read, is larger, or is no UTF-8.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} must be a file that can be read, but: {error}.") from error
    if len(content) > MAX_BYTES:
        raise ConfigError(f"{path} must have at most {MAX_BYTES} bytes, but has more.")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} must be UTF-8 text, but is not: {error}.") from error


def parse(text: str, label: str) -> tuple[Any, dict[str, int]]:
    """Parse YAML.

    Returns:
        The values, and the line of every key by its dotted path.

    Raises:
        ConfigError: It is not YAML, has aliases, or is nested too deep.
    """
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        values = None if node is None else loader.construct_document(node)
        return values, _key_lines(node)
    except _RefusedError as error:
        raise ConfigError(f"{label} {error}") from error
    except Exception as error:  # a scalar that is not what its tag says raises whatever it likes
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ConfigError(f"{label} must be YAML, but is not: {reason}") from error


class _RefusedError(Exception):
    """What is YAML, but not wanted here."""


class _Loader(yaml.SafeLoader):
    """Composes without aliases and not deeper than `MAX_DEPTH`."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        line = self.line + 1
        if self.check_event(yaml.AliasEvent):
            raise _RefusedError(f"line {line}: aliases are not allowed. Write the value out.")
        if self.depth == MAX_DEPTH:
            raise _RefusedError(f"line {line}: more than {MAX_DEPTH} levels are not allowed.")
        self.depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        return node


def _key_lines(node: yaml.Node | None, prefix: str = "") -> dict[str, int]:
    lines: dict[str, int] = {}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            path = f"{prefix}{key.value}"
            lines[path] = key.start_mark.line + 1
            lines.update(_key_lines(value, f"{path}."))
    return lines
