"""The one registry: names of papers to the module that knows their tables and figures.

Such a module has `TABLES` and `FIGURES`, which give a `Planner` for each number. It is imported
when it is asked for.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from signloom.errors import ConfigError
from signloom.reproduction.plan import Planner

SYSTEMS = {
    "psat-rs": "signloom.reproduction.psat_rs.catalogue",
    "lwta": "signloom.reproduction.lwta.catalogue",
    "stamf": "signloom.reproduction.stamf.catalogue",
    "satic": "signloom.reproduction.satic.catalogue",
    "nat-ubd": "signloom.reproduction.nat_ubd.catalogue",
}


def system_module(name: str) -> ModuleType:
    """Import a system's module.

    Raises:
        ConfigError: No system has this name.
    """
    if name not in SYSTEMS:
        raise ConfigError(f"The system must be one of {', '.join(SYSTEMS)}, but is {name[:40]!r}.")
    return importlib.import_module(SYSTEMS[name])


def find_planner(system: str, *, table: str | None, figure: str | None) -> Planner:
    """Look up what plans one table or one figure.

    Args:
        system: Name of the system.
        table: The table's number, or None.
        figure: The figure's number, or None; exactly one of both is given.

    Raises:
        ConfigError: There is no such system, table or figure.
    """
    module = system_module(system)
    what, number = ("table", table) if table is not None else ("figure", figure)
    known: dict[str, Planner] = module.TABLES if table is not None else module.FIGURES
    if number not in known:
        raise ConfigError(
            f"The {what} of {system} must be one of {', '.join(known) or 'none'}, but is "
            f"{str(number)[:40]!r}. There are {describe(system)}."
        )
    return known[number]


def describe(system: str) -> str:
    """Name the tables and figures of a system in one line.

    Raises:
        ConfigError: No system has this name.
    """
    module = system_module(system)
    kinds = (("tables", module.TABLES), ("figures", module.FIGURES))
    return " and ".join(f"{kind} {', '.join(known)}" for kind, known in kinds if known)
