"""`signloom recognize`: signing in, letters or glosses out, with their times."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.film_options import add_film_options, camera_of, check_threads, estimator_of
from signloom.cli.live_options import refuse_both_or_neither
from signloom.cli.result_options import add_text_options, add_timed_options
from signloom.errors import ConfigError

if TYPE_CHECKING:
    from signloom.pipelines.extraction import Camera

DESCRIPTION = """
Recognise signing in videos, folders of their frames, poses, or from a camera: which glosses or
letters, when, and how sure the model is of each. The default model reads fingerspelling, letter by
letter: it knows no signs, no face and no grammar, and what is signed in any other way it reads as
wrong letters. Where nobody is seen or nothing is read, the result is empty and says so.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "recognize", help="recognise letters or glosses in signing", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add(
        "inputs",
        nargs="*",
        type=Path,
        metavar="INPUT",
        help="a video, a folder of its frames (.png, .jpg), a pose (.pose, .json, .skels, .pt), or "
        "a folder of them",
    )
    add_film_options(add)
    _add_manner(add)
    add_timed_options(add, cue="each word or gloss", verb="signed")
    add_text_options(add, report="times, n-best")


def _add_manner(add: Callable[..., Any]) -> None:
    """Add the options that say how signing is recognised."""
    add("--model", metavar="NAME|DIR", help="model package; see `signloom models list`")
    add("--language", metavar="CODE", help="sign language, where the model reads several")
    add(
        "--beam",
        type=int,
        metavar="N",
        help="beginnings kept a step; 1 takes the best path; tuned by the model",
    )
    add(
        "--language-model-weight",
        type=float,
        metavar="W",
        help="what the model's n-grams count in the search; likewise",
    )
    add("--best", type=int, default=1, metavar="N", help="readings that the report gives of each")
    add("--threads", type=int, default=1, metavar="N", help="threads of the model")


def run(options: Namespace) -> int:
    """Recognise; return the exit code: 0, or 3 when some of several inputs were refused."""
    given = _given(options)
    check_threads(options)
    from signloom.cli.overwriting import refuse_overwriting
    from signloom.cli.pictured import Pictured
    from signloom.cli.recognizing import Recognizing
    from signloom.cli.target import Target
    from signloom.cli.work import run_job
    from signloom.pipelines.recognize import Recognizer

    target = Target(output=options.output, as_json=options.json)
    if options.best > 1 and not target.wants_json:
        raise ConfigError("--best must go with --json, or with -o and a name that ends in .json.")
    pictured = Pictured(subtitle=options.subtitle, timeline=options.timeline)
    refuse_overwriting(given, options.subtitle, options.timeline, options.output)
    pictured.check(is_several=len(given) > 1 or _is_of_several(given[0]))
    recognizer = Recognizer(
        options.model,
        language=options.language,
        beam=options.beam,
        language_model_weight=options.language_model_weight,
        threads=options.threads,
        estimator=estimator_of(options),
    )
    return run_job(Recognizing(recognizer, best=options.best, pictured=pictured), given, target)


def _is_of_several(source: Path | Camera) -> bool:
    """Say whether a source is a folder of recordings."""
    from signloom.pipelines.signing import is_film

    return isinstance(source, Path) and source.is_dir() and not is_film(source)


def _given(options: Namespace) -> list[Path | Camera]:
    """Give the sources: files, or a camera."""
    camera = camera_of(options)
    refuse_both_or_neither(options.inputs, camera, names="INPUT or --camera")
    return list(options.inputs) if camera is None else [camera]
