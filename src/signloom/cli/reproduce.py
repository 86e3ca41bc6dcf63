"""`signloom reproduce`: a table or a figure of a paper, with our columns beside the published."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.extras import need_extra
from signloom.cli.outputs import answer, answer_json, note
from signloom.cli.progress import progress
from signloom.errors import UserError

if TYPE_CHECKING:
    from signloom.reproduction.plan import Outcome, Plan

DESCRIPTION = """
Make a table or a figure of a paper again: our columns, measured here, beside its own. Each row is
measured once and kept in a file, so that a run that was stopped goes on when started again, and a
row is measured anew only when its configuration changes. Without a system, list what there is.
"""
WIDE = 240
"""Characters of a line where no terminal says how many there are."""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "reproduce", help="make tables and figures of papers again", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("system", nargs="?", metavar="SYSTEM", help="whose paper, such as psat-rs")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--table", metavar="N", help="number of the table")
    which.add_argument("--figure", metavar="N", help="number of the figure")
    add("--out", type=Path, metavar="DIR", help="default: reproductions/SYSTEM")
    add(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="A.B=C",
        help="change sizes or turns, such as model.dim=32 or timing.repeats=3; may be repeated",
    )
    add(
        "--model",
        action="append",
        default=[],
        dest="models",
        metavar="ROW=DIR",
        help="model package of a row, for figures that show models; may be repeated",
    )
    add("--text", metavar="TEXT", help="what such models sign")
    add("--overwrite", action="store_true", help="measure the rows that are there, too")
    add("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Measure and print the table or figure; return the exit code."""
    need_extra("train", "Reproducing")
    from signloom.reproduction.plan import Request, carry_out
    from signloom.reproduction.registry import SYSTEMS, describe, find_planner

    if options.system is None:
        answer("\n".join(f"{system}: {describe(system)}" for system in SYSTEMS))
        return 0
    if options.table is None and options.figure is None:
        raise UserError(
            f"--table or --figure must say what to make of {options.system}: there are "
            f"{describe(options.system)}."
        )
    planner = find_planner(options.system, table=options.table, figure=options.figure)
    if options.figure is not None:
        need_extra("eval", "A figure")
        need_extra("data", "A figure")
    models = read_models(options.models)
    folder = options.out or Path("reproductions") / options.system
    plan = planner(
        Request(overrides=options.overrides, models=models, text=options.text, folder=folder)
    )
    with progress(plan.name, len(plan.rows), wanted=bool(plan.rows)) as advance:
        outcome = carry_out(
            plan,
            folder,
            command=shlex.join(["signloom", *sys.argv[1:]]),
            overwrite=options.overwrite,
            advance=advance,
        )
    _tell(plan, outcome, as_json=options.json)
    return 0


def read_models(texts: Sequence[str]) -> dict[str, str]:
    """Read `ROW=DIR` texts.

    Raises:
        UserError: One is not of this form, or a row comes twice.

    Example:
        >>> read_models(["AT=models/at", "NAT=nat"])
        {'AT': 'models/at', 'NAT': 'nat'}
    """
    models: dict[str, str] = {}
    for text in texts:
        name, found, folder = text.partition("=")
        if not found or not name or not folder:
            raise UserError(f"--model must read ROW=DIR, but is {text[:80]!r}.")
        if name in models:
            raise UserError(f"Each row must have one --model, but {name} has two.")
        models[name] = folder
    return models


def _tell(plan: Plan, outcome: Outcome, *, as_json: bool) -> None:
    if plan.rows:
        kept = len(plan.rows) - outcome.measured
        note(f"{outcome.measured} measured, {kept} there already")
    for file in outcome.files:
        note(f"wrote {file}")
    if as_json:
        answer_json(outcome.document)
        return
    from rich.console import Console

    shown = sys.stdout is not None and sys.stdout.isatty()
    Console(width=None if shown else WIDE).print(outcome.report.grid.to_rich())
