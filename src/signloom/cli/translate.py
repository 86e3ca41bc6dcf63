"""`signloom translate`: signing in, text out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from signloom.errors import ConfigError

DESCRIPTION = """
Translate poses, features or glosses to text; which of them, the model decides. The default model
reads fingerspelling, letter by letter: it knows no signs, no face and no grammar, and what is
signed in any other way it reads as wrong letters. Every text comes with how sure the model is of
it. A long recording of fingerspelling is cut where the arms hang or the hand relaxes.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "translate", help="translate poses, features or glosses to text", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add(
        "inputs",
        nargs="*",
        type=Path,
        metavar="INPUT",
        help="a pose (.pose, .json, .skels, .pt), features (.npy, .npz, pickles of neccam/slt), "
        "glosses (.txt, .gloss, one sentence a line), or a folder of them; - reads glosses from "
        "standard input",
    )
    add("--glosses", metavar="TEXT", help="one sentence of glosses in place of INPUT")
    _add_manner(add)
    add("--json", action="store_true", help="print a report for machines: confidences, n-best")
    add(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="write there instead of printing; a name that ends in .json gets the report",
    )


def _add_manner(add: Callable[..., Any]) -> None:
    """Add the options that say how sources are translated."""
    add(
        "--model",
        action="append",
        metavar="NAME|DIR",
        help="model package; see `signloom models list`; repeated, they are an ensemble",
    )
    add("--language", metavar="CODE", help="sign language, where the model reads several")
    add("--beam", type=int, metavar="N", help="hypotheses kept a step; tuned by the model")
    add("--length-penalty", type=float, metavar="A", help="exponent of the length; likewise")
    add("--best", type=int, default=1, metavar="N", help="texts that the report gives of each")
    add(
        "--samples",
        type=int,
        default=0,
        metavar="S",
        help="average the predictions of S posterior samples; 0, the default, takes the means",
    )
    add("--seed", type=int, default=0, metavar="N", help="decides the samples")
    add("--threads", type=int, default=1, metavar="N", help="threads of the model")


def run(options: Namespace) -> int:
    """Translate; return the exit code: 0, or 3 when some of several inputs were refused."""
    if bool(options.inputs) == (options.glosses is not None):
        found = "both are" if options.inputs else "neither is"
        raise ConfigError(f"Either INPUT or --glosses must be given, but {found}.")
    if not 1 <= options.threads <= 256:
        raise ConfigError(f"--threads must be 1 to 256, but is {options.threads}.")
    from signloom.cli.translating import Target, run_translate
    from signloom.pipelines.translate import Search, Translator

    target = Target(output=options.output, as_json=options.json)
    search = Search(beam=options.beam, length_penalty=options.length_penalty, best=options.best)
    if options.best > 1 and not target.wants_json:
        raise ConfigError("--best must go with --json, or with -o and a name that ends in .json.")
    translator = Translator(
        options.model,
        language=options.language,
        samples=options.samples,
        seed=options.seed,
        threads=options.threads,
    )
    given = options.inputs if options.glosses is None else options.glosses
    return run_translate(translator, given, search=search, target=target)
