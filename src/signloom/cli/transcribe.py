"""`signloom transcribe`: speech in, text out, with its times."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.film_options import check_threads
from signloom.cli.live_options import add_live_options, refuse_both_or_neither, seconds_of
from signloom.cli.result_options import add_text_options, add_timed_options

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
    add_live_options(add, "microphone", what="listen to this microphone in place of AUDIO")
    _add_manner(add)
    add_timed_options(add, cue="it", verb="said")
    add_text_options(add, report="times, confidences")


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


def run(options: Namespace) -> int:
    """Transcribe; return the exit code: 0, or 3 when some of several inputs were refused."""
    check_threads(options)
    microphone = _microphone_of(options)
    refuse_both_or_neither(options.inputs, microphone, names="AUDIO or --microphone")
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
    seconds = seconds_of(options, "microphone")
    if seconds is None:
        return None
    from signloom.features.microphone import Microphone

    return Microphone(options.microphone, seconds)
