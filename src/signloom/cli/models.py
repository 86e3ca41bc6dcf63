"""`signloom models`: which model packages there are, and what each one is."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from signloom.cli.outputs import answer, answer_json, note

DESCRIPTION = """
Packages lie with the program and in the folder that SIGNLOOM_MODELS names, or else in the user's
data folder. A damaged package is listed as such.
"""


def add_to(verbs: Any) -> None:
    """Add the verb and its two parts to the command line."""
    parser = verbs.add_parser(
        "models", help="list the model packages, or show one", description=DESCRIPTION
    )
    parts = parser.add_subparsers(metavar="COMMAND", required=True)
    lister = parts.add_parser("list", help="list the packages known by name")
    lister.set_defaults(run=list_models)
    shower = parts.add_parser("show", help="show the card, the size and the id of one")
    shower.add_argument("name", metavar="NAME|DIR", help="which model package")
    shower.set_defaults(run=show_model)
    for part in (lister, shower):
        part.add_argument("--json", action="store_true", help="print JSON for machines")


def list_models(options: Namespace) -> int:
    """List the model packages that are known by name; return the exit code."""
    from signloom.errors import PackageError
    from signloom.runtime.package import load_package
    from signloom.runtime.registry import known_packages, user_folder

    found: list[dict[str, Any]] = []
    for name, folder in known_packages().items():
        try:
            found.append({"name": name, **_facts(load_package(folder))})
        except PackageError as error:
            found.append({"name": name, "folder": str(folder), "damaged": str(error)})
    if options.json:
        answer_json(found)
        return 0
    if not found:
        note(f"no model packages; they are looked for in {user_folder()}")
    width = max((len(item["name"]) for item in found), default=0)
    for item in found:
        facts = item.get("damaged") or "  ".join(
            str(item[key]) for key in ("system", "kind", "language", "megabytes") if item[key]
        )
        answer(f"{item['name']:<{width}}  {'damaged: ' if 'damaged' in item else ''}{facts}")
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


def _facts(package: Any) -> dict[str, Any]:
    """Give what is said of every package."""
    size = sum(len(graph) for graph in package.graphs.values())
    return {
        "system": package.system,
        "kind": package.config.get("kind"),
        "language": package.config.get("language"),
        "megabytes": round(size / 1e6, 2),
        "id": package.id,
        "folder": str(package.path),
    }
