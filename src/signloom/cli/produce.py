"""`signloom produce`: a text in, a pose out."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from signloom.errors import UserError

DESCRIPTION = """
Spell a text as a moving pose. The default model fingerspells in American Sign Language, letter by
letter: no face, no mouth, no grammar. Accents go (é is spelled e), numbers are spelled as words,
and what the alphabet does not have is left out and named. The length is the model's own.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "produce", help="spell a text as a moving pose", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add(
        "text",
        nargs="?",
        metavar="TEXT",
        help="what to spell; - or none reads it from standard input",
    )
    add(
        "-o",
        "--output",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="where to write; ends in .pose, .json, .mp4, .gif or .png; may be repeated; without "
        "it and without --json, the text names a .pose file in this folder",
    )
    add("--model", metavar="NAME|DIR", help="model package; see `signloom models list`")
    add("--json", action="store_true", help="print a report for machines: letter times, notes")
    add(
        "--strict",
        action="store_true",
        help="refuse a text of which something would be left out",
    )
    add(
        "--batch",
        nargs=2,
        type=Path,
        metavar=("FILE", "OUT_DIR"),
        help="produce every line of FILE into OUT_DIR; what is there already is skipped",
    )
    add(
        "--format",
        default=".pose",
        metavar="SUFFIX",
        help="what --batch writes (default: %(default)s)",
    )
    add(
        "--overwrite",
        action="store_true",
        help="replace outputs of --batch, or the file that the text names",
    )


def run(options: Namespace) -> int:
    """Produce one text or a batch; return the exit code."""
    if options.batch is None:
        from signloom.cli.single import run_single

        run_single(
            options.text,
            options.output,
            model=options.model,
            as_json=options.json,
            strict=options.strict,
            overwrite=options.overwrite,
        )
        return 0
    if options.text is not None or options.output:
        raise UserError("--batch must stand alone, but a text or -o was given too.")
    from signloom.cli.batch import Batch, run_batch

    file, folder = options.batch
    batch = Batch(file=file, folder=folder, suffix=options.format, strict=options.strict)
    return run_batch(batch, model=options.model, overwrite=options.overwrite, as_json=options.json)
