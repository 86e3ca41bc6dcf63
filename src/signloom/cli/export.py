"""`signloom export`: a checkpoint in, a model package out."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from signloom.cli.extras import need_extra
from signloom.cli.outputs import answer_facts
from signloom.cli.progress import progress

DESCRIPTION = """
Make a model package of a checkpoint: graphs for ONNX Runtime, configuration, vocabulary, card,
checksums. It is kept only if it gives what the PyTorch model gives.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "export", help="make a model package of a checkpoint", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("checkpoint", type=Path, metavar="CHECKPOINT", help="last.ckpt of `signloom train`")
    add("folder", type=Path, metavar="DIR", help="where it goes; the model is named after it")
    add(
        "--figures",
        type=Path,
        metavar="FILE",
        help="JSON of `signloom evaluate`, whose figures go on the card",
    )
    add(
        "--half",
        action="store_true",
        help="round the weights to half precision: half the size, the same arithmetic",
    )
    add("--overwrite", action="store_true", help="replace a package that lies there already")
    add("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Export; return the exit code."""
    need_extra("train", "Exporting")
    from signloom.export.card import Origin, read_figures
    from signloom.export.package import export_task, refuse_taken
    from signloom.training.restore import restore

    refuse_taken(options.folder, overwrite=options.overwrite)
    figures = read_figures(options.figures) if options.figures else None
    trained = restore(options.checkpoint)
    origin = Origin(
        recipe=trained.recipe.name,
        step=trained.step,
        init=trained.recipe.training.init,
        figures=figures,
        half=options.half,
    )
    with progress("trace and compare", None):
        package = export_task(
            trained.task,
            options.folder,
            system=trained.recipe.system,
            origin=origin,
            overwrite=options.overwrite,
        )
    facts = {
        "name": package.name,
        "folder": str(options.folder),
        "id": package.id,
        "megabytes": round(package.num_bytes / 1e6, 2),
    }
    answer_facts(facts, as_json=options.json)
    return 0
