"""`signloom train`: a recipe in, a checkpoint and a curve out."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from signloom.cli.extras import need_extra
from signloom.cli.outputs import answer, answer_facts, note

DESCRIPTION = """
Train a model by a recipe; without one, list the recipes that come with signloom. The folder gets
last.ckpt, best.ckpt where validation has a measure, curve.jsonl, recipe.yaml, TensorBoard events
and, of poses, pictures of reference against prediction. A killed run goes on with --resume and
follows the same curve.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser("train", help="train a model by a recipe", description=DESCRIPTION)
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("recipe", nargs="?", metavar="RECIPE", help="name of a recipe, or a .yaml file")
    add(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="A.B=C",
        help="override a value of the recipe; may be repeated",
    )
    add("--out", type=Path, metavar="DIR", help="where the run goes; default: runs/RECIPE")
    add("--resume", action="store_true", help="go on from the last checkpoint in the folder")
    add("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Train; return the exit code."""
    need_extra("train", "Training")
    from signloom.training.recipe import load_recipe, recipe_names

    if options.recipe is None:
        answer("\n".join(recipe_names()))
        return 0
    recipe = load_recipe(options.recipe, options.overrides)
    from signloom.training.callbacks import LAST
    from signloom.training.run import run as train
    from signloom.training.run import summary

    folder = options.out or Path("runs") / recipe.name
    if options.resume and not (folder / LAST).exists():
        note(f"note: {folder} holds no checkpoint to go on from: the run begins.")
    train(recipe, folder, resume=options.resume)
    answer_facts(summary(folder), as_json=options.json)
    return 0
