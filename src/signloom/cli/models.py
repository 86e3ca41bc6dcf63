"""`signloom models`: which model packages there are, and what each one is."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from signloom.cli.outputs import answer, answer_facts, answer_json, note

DESCRIPTION = """
Packages lie with the program and in the folder that SIGNLOOM_MODELS names, or else in the user's
data folder. A damaged package is listed as such.
"""


def add_to(verbs: Any) -> None:
    """Add the verb and its two parts to the command line."""
    parser = verbs.add_parser(
        "models", help="list, show and install model packages", description=DESCRIPTION
    )
    parts = parser.add_subparsers(metavar="COMMAND", required=True)
    lister = parts.add_parser("list", help="list the packages known by name")
    lister.set_defaults(run=list_models)
    shower = parts.add_parser("show", help="show the card, the size and the id of one")
    shower.add_argument("name", metavar="NAME|DIR", help="which model package")
    shower.set_defaults(run=show_model)
    installer = parts.add_parser("install", help="install one from a folder or a zip file")
    installer.add_argument("source", type=Path, metavar="DIR|FILE.zip", help="which package")
    installer.add_argument("--overwrite", action="store_true", help="replace one of its name")
    installer.set_defaults(run=install_model)
    for part in (lister, shower, installer):
        part.add_argument("--json", action="store_true", help="print JSON for machines")


HEADER = ("name", "system", "kind", "language", "MB", "")


def list_models(options: Namespace) -> int:
    """List the model packages that are known by name; return the exit code."""
    from signloom.errors import PackageError
    from signloom.runtime.package import load_package
    from signloom.runtime.registry import (
        DEFAULT_PRODUCE_MODEL,
        DEFAULT_RECOGNIZE_MODEL,
        DEFAULT_TRANSCRIBE_MODEL,
        DEFAULT_TRANSLATE_MODEL,
        known_packages,
        user_folder,
    )

    defaults = (
        DEFAULT_PRODUCE_MODEL,
        DEFAULT_TRANSLATE_MODEL,
        DEFAULT_RECOGNIZE_MODEL,
        DEFAULT_TRANSCRIBE_MODEL,
    )
    found: list[dict[str, Any]] = []
    for name, folder in known_packages().items():
        item: dict[str, Any] = {"name": name, "default": name in defaults}
        try:
            found.append(item | _facts(load_package(folder)))
        except PackageError as error:
            found.append(item | {"folder": str(folder), "damaged": str(error)})
    if options.json:
        answer_json(found)
        return 0
    if not found:
        note(f"no model packages; they are looked for in {user_folder()}")
        return 0
    rows = [_row(item) for item in found]
    widths = [max(map(len, column)) for column in zip(HEADER, *rows, strict=True)]
    for row, item in zip((HEADER, *rows), ({}, *found), strict=True):
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        line = f"{row[0]:<{widths[0]}}  damaged: {item['damaged']}" if "damaged" in item else None
        answer(line or "  ".join(cells).rstrip())
    return 0


def show_model(options: Namespace) -> int:
    """Show a model package: its card, what it is not, its size and its id."""
    from signloom.runtime.package import load_package

    package = load_package(options.name)
    if options.json:
        config = {key: value for key, value in package.config.items() if key != "features"}
        card = {"card": package.card, "config": config, "vocabulary": list(package.vocabulary)}
        answer_json({"name": package.name, **_facts(package), **card})
        return 0
    answer(package.card.rstrip() + "\n")
    for key, value in _facts(package).items():
        answer(f"{key:<10} {value}")
    return 0


def install_model(options: Namespace) -> int:
    """Install a model package for this user; return the exit code."""
    from signloom.runtime.installation import install

    package = install(options.source, overwrite=options.overwrite)
    answer_facts({"name": package.name, **_facts(package)}, as_json=options.json)
    return 0


def _row(item: dict[str, Any]) -> tuple[str, ...]:
    """Give the cells of a package in the order of `HEADER`."""
    cells = (item.get(key) for key in ("system", "kind", "language", "megabytes"))
    shown = ("-" if cell is None else str(cell) for cell in cells)
    return (item["name"], *shown, "default" if item["default"] else "")


def _facts(package: Any) -> dict[str, Any]:
    """Give what is said of every package."""
    of = "spoken_language" if package.system in ("transcribe", "caption") else "language"
    return {
        "system": package.system,
        "kind": package.config.get("kind"),
        "language": package.config.get(of),
        "megabytes": round(package.num_bytes / 1e6, 2),
        "id": package.id,
        "folder": str(package.path),
    }
