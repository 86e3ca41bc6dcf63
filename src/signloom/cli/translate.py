"""`signloom translate`: signing in, text out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.film_options import add_film_options, camera_of, check_threads, estimator_of
from signloom.cli.result_options import add_text_options
from signloom.errors import ConfigError

if TYPE_CHECKING:
    from signloom.pipelines.extraction import Camera

DESCRIPTION = """
Translate signing, features or glosses to text; which of them, the model decides. Signing comes as
poses, videos or folders of their frames, or from a camera. The default model reads fingerspelling,
letter by letter: it knows no signs, no face and no grammar, and what is signed in any other way it
reads as wrong letters. Every text comes with how sure the model is of it. A long recording of
fingerspelling is cut where the arms hang or the hand relaxes.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "translate", help="translate signing, features or glosses to text", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add(
        "inputs",
        nargs="*",
        type=Path,
        metavar="INPUT",
        help="a pose (.pose, .json, .skels, .pt), a video or a folder of its frames, features "
        "(.npy, .npz, pickles of neccam/slt), glosses (.txt, .gloss, one sentence a line), or a "
        "folder of them; - reads glosses from standard input",
    )
    add("--glosses", metavar="TEXT", help="one sentence of glosses in place of INPUT")
    add_film_options(add)
    _add_manner(add)
    add_text_options(add, report="confidences, n-best")


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
    given = _given(options)
    check_threads(options)
    from signloom.cli.target import Target
    from signloom.cli.translating import Translating
    from signloom.cli.work import run_job
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
        estimator=estimator_of(options),
    )
    return run_job(Translating(translator, search), given, target)


def _given(options: Namespace) -> list[Path | Camera | str]:
    """Give the sources: files, a sentence, or a camera."""
    camera = camera_of(options)
    ways = {"INPUT": options.inputs, "--glosses": options.glosses, "--camera": camera}
    named = [name for name, value in ways.items() if value or value == ""]
    if len(named) != 1:
        found = " and ".join(named) + " are" if named else "none is"
        raise ConfigError(f"Either INPUT, --glosses or --camera must be given, but {found}.")
    if camera is not None:
        return [camera]
    return list(options.inputs) or [options.glosses]
