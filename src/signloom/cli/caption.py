"""`signloom caption`: pictures in, sentences out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from signloom.cli.film_options import check_threads
from signloom.cli.result_options import add_text_options

DESCRIPTION = """
Say in a sentence what pictures show. No captioner comes with signloom, because the pictures that
one learns from are for research: install one with `signloom models install NAME.zip`, or train one.
The middle square of a picture is looked at.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "caption", help="say in a sentence what pictures show", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add(
        "inputs",
        nargs="+",
        type=Path,
        metavar="IMAGE",
        help="a picture (.jpg, .png, .webp and others), or a folder of them",
    )
    _add_manner(add)
    add_text_options(add, report="confidence, other captions")


def _add_manner(add: Callable[..., Any]) -> None:
    """Add the options that say how pictures are captioned."""
    add("--model", metavar="NAME|DIR", help="model package; see `signloom models list`")
    add(
        "--beam",
        type=int,
        metavar="N",
        help="captions kept a step, 1 to 64; 1 is greedy search; by default as the model says",
    )
    add(
        "--allow-repeats",
        action="store_true",
        help="let words that come at once repeat each other, as the model would",
    )
    add("--threads", type=int, default=1, metavar="N", help="threads of the model (1)")


def run(options: Namespace) -> int:
    """Caption; return the exit code: 0, or 3 when some of several pictures were refused."""
    check_threads(options)
    from signloom.cli.captioning import CaptionJob
    from signloom.cli.target import Target
    from signloom.cli.work import run_job
    from signloom.pipelines.caption import Captioner

    captioner = Captioner(
        options.model,
        beam=options.beam,
        suppress=False if options.allow_repeats else None,
        threads=options.threads,
    )
    target = Target(output=options.output, as_json=options.json)
    return run_job(CaptionJob(captioner), options.inputs, target)
