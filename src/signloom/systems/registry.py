"""The one registry: system names to the module that assembles them, imported when asked for.

A system's module has `SECTIONS`, the recipe's sections as dataclasses, and `build(sections, seed)`,
which gives a task (`training.module.Task`).
"""

from __future__ import annotations

import importlib
from types import ModuleType

from signloom.errors import ConfigError

SYSTEMS = {
    "caption": "signloom.systems.caption.task",
    "judge": "signloom.systems.judge.task",
    "produce": "signloom.systems.produce.task",
    "recognize": "signloom.systems.recognize.task",
    "transcribe": "signloom.systems.transcribe.task",
    "translate": "signloom.systems.translate.task",
}


def system_module(name: str) -> ModuleType:
    """Import a system's module.

    Raises:
        ConfigError: No system has this name.
    """
    if name not in SYSTEMS:
        raise ConfigError(f"`system` must be one of {', '.join(SYSTEMS)}, but is `{name}`.")
    return importlib.import_module(SYSTEMS[name])
