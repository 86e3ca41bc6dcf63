"""`signloom models`: which model packages there are, and what each one is."""

from __future__ import annotations

from typing import Annotated, Any

import typer

app = typer.Typer(
    help="List the model packages, or show one.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@app.command(name="list")
def list_models(as_json: AsJson = False) -> None:
    """List the model packages that are known by name.

    Packages lie with the program and in the folder that SIGNLOOM_MODELS names, or else in the
    user's data folder. A damaged package is listed as such.
    """
    from signloom.cli.outputs import echo_json
    from signloom.errors import PackageError
    from signloom.runtime.package import load_package
    from signloom.runtime.registry import known_packages, user_folder

    found: list[dict[str, Any]] = []
    for name, folder in known_packages().items():
        try:
            found.append({"name": name, **_facts(load_package(folder))})
        except PackageError as error:
            found.append({"name": name, "folder": str(folder), "damaged": str(error)})
    if as_json:
        echo_json(found)
        return
    if not found:
        typer.echo(f"no model packages; they are looked for in {user_folder()}", err=True)
    width = max((len(item["name"]) for item in found), default=0)
    for item in found:
        facts = item.get("damaged") or "  ".join(
            str(item[key]) for key in ("system", "kind", "language", "megabytes") if item[key]
        )
        typer.echo(f"{item['name']:<{width}}  {'damaged: ' if 'damaged' in item else ''}{facts}")


@app.command(name="show")
def show_model(
    name: Annotated[str, typer.Argument(metavar="NAME|DIR", help="Which model package.")],
    as_json: AsJson = False,
) -> None:
    """Show a model package: its card, what it is not, its size and its id."""
    from signloom.cli.outputs import echo_json
    from signloom.runtime.package import load_package

    package = load_package(name)
    if as_json:
        config = {key: value for key, value in package.config.items() if key != "features"}
        card = {"card": package.card, "config": config, "vocabulary": list(package.vocabulary)}
        echo_json({"name": package.name, **_facts(package), **card})
        return
    typer.echo(package.card.rstrip() + "\n")
    for key, value in _facts(package).items():
        typer.echo(f"{key:<10} {value}")


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
