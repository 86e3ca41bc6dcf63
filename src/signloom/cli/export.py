"""`signloom export`: a checkpoint in, a model package out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    checkpoint: Annotated[
        Path, typer.Argument(metavar="CHECKPOINT", help="last.ckpt of `signloom train`.")
    ],
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the package goes; its name is the model's.")
    ],
    figures: Annotated[
        Path | None,
        typer.Option(
            "--figures", metavar="FILE", help="JSON of `signloom evaluate`, to put on the card."
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a package that lies there already.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Make a model package: graphs for ONNX Runtime, configuration, vocabulary, card, checksums.

    The package is kept only if it gives what the PyTorch model gives.
    """
    from signloom.cli.extras import need_extra
    from signloom.cli.outputs import echo_json

    need_extra("train", "Exporting")
    from signloom.export.card import read_figures
    from signloom.export.package import export_task
    from signloom.training.restore import restore

    shown = read_figures(figures) if figures else None
    trained = restore(checkpoint)
    package = export_task(
        trained.task,
        folder,
        system=trained.recipe.system,
        recipe=trained.recipe.name,
        step=trained.step,
        figures=shown,
        overwrite=overwrite,
    )
    size = sum(len(graph) for graph in package.graphs.values())
    result = {"name": package.name, "folder": str(folder), "id": package.id, "bytes": size}
    if as_json:
        echo_json(result)
        return
    for key, value in result.items():
        typer.echo(f"{key:<7} {value}")
