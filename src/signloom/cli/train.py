"""`signloom train`: a recipe in, a checkpoint and a curve out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def train(
    recipe: Annotated[
        str | None, typer.Argument(metavar="RECIPE", help="Name of a recipe, or a .yaml file.")
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="A.B=C", help="Override a value. May be repeated."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Default: runs/RECIPE.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in the folder.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Train a model; without a RECIPE, list the recipes that come with signloom.

    The folder gets last.ckpt, curve.jsonl, recipe.yaml, pictures of reference against prediction
    and TensorBoard events. A killed run goes on with --resume and follows the same curve.
    """
    from signloom.cli.extras import need_extra
    from signloom.cli.outputs import echo_json

    need_extra("train", "Training")
    from signloom.training.recipe import load_recipe, recipe_names

    if recipe is None:
        typer.echo("\n".join(recipe_names()))
        return
    loaded = load_recipe(recipe, overrides or [])
    from signloom.training.run import run, summary

    folder = out or Path("runs") / loaded.name
    run(loaded, folder, resume=resume)
    result = summary(folder)
    if as_json:
        echo_json(result)
        return
    for key, value in result.items():
        typer.echo(f"{key:<18} {value}")
