"""`signloom produce`: a text in, a pose out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def produce(
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="What to spell; - or none reads standard input."),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Where to write; ends in .pose, .json, .mp4, .gif or .png. May be repeated. "
            "Without it and without --json, the text names a .pose file in this folder.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME|DIR", help="Model package; see `signloom models list`."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a report for machines: letter times, notes.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a text of which something would be left out.")
    ] = False,
    batch: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="FILE OUT_DIR",
            help="Produce every line of FILE into OUT_DIR; lines that are there are skipped.",
        ),
    ] = None,
    suffix: Annotated[
        str, typer.Option("--format", metavar="SUFFIX", help="What --batch writes.")
    ] = ".pose",
    overwrite: Annotated[
        bool,
        typer.Option("--overwrite", help="Replace outputs of --batch, or the file the text names."),
    ] = False,
) -> None:
    """Spell a text as a moving pose.

    The default model fingerspells in American Sign Language, letter by letter: no face, no mouth,
    no grammar. Accents go (é is spelled e), numbers are spelled as words, and what the alphabet
    does not have is left out and named. The length is the model's own.
    """
    from signloom.errors import UserError

    if batch is not None:
        if text is not None or output:
            raise UserError("--batch must stand alone, but a text or -o was given too.")
        from signloom.cli.batch import Batch, run_batch

        work = Batch(file=batch[0], folder=batch[1], suffix=suffix, strict=strict)
        raise typer.Exit(run_batch(work, model=model, overwrite=overwrite, as_json=as_json))
    from signloom.cli.single import run_single

    run_single(
        text,
        output or [],
        model=model,
        as_json=as_json,
        strict=strict,
        overwrite=overwrite,
    )
