"""`signloom transcribe`: speech in, text out, with its times."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.film_options import SECONDS, check_threads
from signloom.errors import ConfigError

if TYPE_CHECKING:
    from signloom.features.microphone import Microphone

DESCRIPTION = """
Transcribe speech in sound files, in films or from a microphone: what is said, when, and how sure
the model is. The default model knows the ten English digit words and nothing else: it learned them
of six speakers, and whatever else is said it hears as digits. Silence gives an empty text that says
so.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "transcribe", help="transcribe speech as text", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add(
        "inputs",
        nargs="*",
        type=Path,
        metavar="AUDIO",
        help="a file of sound (.wav, .flac, .mp3 and others) or a film, or a folder of sound",
    )
    add("--microphone", metavar="INDEX|NAME", help="listen to this microphone in place of AUDIO")
    add("--seconds", type=float, metavar="S", help=f"for how long; {SECONDS:g} if not given")
    _add_manner(add)
    _add_outputs(add)


def _add_manner(add: Callable[..., Any]) -> None:
    """Add the options that say how speech is transcribed."""
    add("--model", metavar="NAME|DIR", help="model package; see `signloom models list`")
    add(
        "--iterations",
        type=int,
        metavar="J",
        help="passes that refine what is heard, at most; 0 takes it as it is heard",
    )
    add("--threads", type=int, default=1, metavar="N", help="threads of the model")


def _add_outputs(add: Callable[..., Any]) -> None:
    """Add the options that say where results go."""
    add(
        "--subtitle",
        type=Path,
        metavar="FILE",
        help="write when it is said; ends in .srt or .vtt",
    )
    add(
        "--timeline",
        type=Path,
        metavar="FILE",
        help="draw when each token is said and how sure that is; ends in .png or .svg",
    )
    add("--json", action="store_true", help="print a report for machines: times, confidences")
    add(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="write there instead of printing; a name that ends in .json gets the report",
    )


def run(options: Namespace) -> int:
    """Transcribe; return the exit code: 0, or 3 when some of several inputs were refused."""
    check_threads(options)
    microphone = _microphone_of(options)
    if bool(options.inputs) == (microphone is not None):
        found = "both are" if options.inputs else "neither is"
        raise ConfigError(f"Either AUDIO or --microphone must be given, but {found}.")
    from signloom.cli.overwriting import refuse_overwriting
    from signloom.cli.pictured import Pictured
    from signloom.cli.target import Target
    from signloom.cli.transcribing import Transcribing
    from signloom.cli.work import run_job
    from signloom.pipelines.signing import is_folder
    from signloom.pipelines.transcribe import Transcriber

    target = Target(output=options.output, as_json=options.json)
    pictured = Pictured(subtitle=options.subtitle, timeline=options.timeline)
    given = options.inputs
    refuse_overwriting(given, options.subtitle, options.timeline, options.output)
    pictured.check(is_several=len(given) > 1 or any(map(is_folder, given)))
    transcriber = Transcriber(options.model, iterations=options.iterations, threads=options.threads)
    job = Transcribing(transcriber, pictured=pictured, microphone=microphone)
    return run_job(job, given or [str(microphone)], target)


def _microphone_of(options: Namespace) -> Microphone | None:
    """Give the microphone that is asked for."""
    if options.microphone is None:
        if options.seconds is not None:
            raise ConfigError("--seconds goes with --microphone, but there is none. Drop it.")
        return None
    from signloom.features.microphone import Microphone

    return Microphone(options.microphone, SECONDS if options.seconds is None else options.seconds)
