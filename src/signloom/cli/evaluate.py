"""`signloom evaluate`: how well production models spell words that they have never seen."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from signloom.cli.extras import need_extra
from signloom.cli.outputs import answer_json, note

DESCRIPTION = """
Let production models spell held-out words at their own length, and have a recogniser read them
back, beside the rows ground truth, stitched, mean pose and shuffled. With --corpus, let models of
words or glosses sign the utterances of a prepared corpus, and measure how far they are from them.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "evaluate", help="measure production models on held-out words", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("models", nargs="*", metavar="NAME|DIR", help="production packages; default: the shipped")
    add("--words", type=int, default=300, metavar="N", help="held-out words (default: 300)")
    add("--doubled", type=int, default=100, metavar="N", help="at least so many with a double")
    add("--seed", type=int, default=0, help="fixes words, references and resampling (default: 0)")
    add("--language", metavar="CODE", default="ase", help="sign language (default: ase)")
    add("--corpus", type=Path, metavar="DIR", help="what `signloom data prepare` wrote")
    add("--split", default="test", help="split of --corpus (default: test)")
    add("--judge", metavar="NAME|DIR", help="the recogniser's package; default: the shipped")
    add("-o", "--output", type=Path, metavar="FILE.json", help="write the report as JSON, too")
    add("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Evaluate and print the table; return the exit code."""
    need_extra("data", "Evaluating")
    if options.corpus:
        return _run_corpus(options)
    from signloom.evaluation.report import to_document, to_table
    from signloom.evaluation.run import run as evaluate
    from signloom.poses.formats.atomic import check_writable
    from signloom.runtime.registry import fingerspelling_package

    if options.output:
        check_writable(options.output)
    result = evaluate(
        options.models or [fingerspelling_package("produce", options.language)],
        language=options.language,
        judge=options.judge,
        count=options.words,
        doubled=options.doubled,
        seed=options.seed,
    )
    _tell(to_document(result, command=_command()), to_table(result), options)
    for name, failures in result.failures.items():
        for failure in failures:
            note(f"{name}: {failure}")
    return 0


def _run_corpus(options: Namespace) -> int:
    from signloom.evaluation.recordings import FIGURES, evaluate_recordings
    from signloom.evaluation.report import to_document, to_table
    from signloom.poses.formats.atomic import check_writable

    if options.output:
        check_writable(options.output)
    result = evaluate_recordings(
        options.models, options.corpus, split=options.split, seed=options.seed
    )
    _tell(to_document(result, command=_command()), to_table(result, FIGURES), options)
    return 0


def _tell(document: dict[str, Any], table: Any, options: Namespace) -> None:
    from rich.console import Console

    from signloom.evaluation.report import save_json

    if options.output:
        save_json(document, options.output)
        note(f"wrote {options.output}")
    if options.json:
        answer_json(document)
    else:
        Console().print(table)


def _command() -> str:
    return shlex.join(["signloom", *sys.argv[1:]])
