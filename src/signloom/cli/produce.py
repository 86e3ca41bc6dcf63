"""`signloom produce`: a text in, a pose out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from signloom.errors import ConfigError

DESCRIPTION = """
Spell a text as a moving pose. The default model fingerspells in American Sign Language, letter by
letter: no face, no mouth, no grammar. Accents go (é is spelled e), numbers are spelled as words,
and what the alphabet does not have is left out and named. The length is the model's own.
"""
HINT = "A text of several words needs quotes, and one that begins with a dash needs -- before it"


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "produce", help="spell a text as a moving pose", description=DESCRIPTION
    )
    parser.set_defaults(run=run, hint=HINT)
    add = parser.add_argument
    add(
        "text",
        nargs="?",
        metavar="TEXT",
        help="what to spell, in quotes if it has several words, after -- if it begins with a dash; "
        "- or none reads it from standard input",
    )
    add(
        "-o",
        "--output",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="where to write; ends in .pose, .json, .skels, .mp4, .gif, .svg or .png; an existing "
        "file is replaced; may be repeated; without it and without --json, the text names a new "
        "file in this folder",
    )
    _add_manner(add)
    _add_senses(add)
    add(
        "--batch",
        nargs=2,
        type=Path,
        metavar=("FILE", "OUT_DIR"),
        help="produce every line of FILE, or of standard input if it is -, into OUT_DIR; what is "
        "there already is skipped",
    )
    add(
        "--format",
        metavar="SUFFIX",
        help="format of the outputs of --batch, or of the file that the text names; .pose if not "
        "given",
    )
    add(
        "--overwrite",
        action="store_true",
        help="replace existing outputs of --batch, or the file that the text names; "
        "-o always replaces",
    )


def _add_manner(add: Callable[..., Any]) -> None:
    """Add the options that say how a text is signed."""
    add("--model", metavar="NAME|DIR", help="model package; see `signloom models list`")
    add("--language", metavar="CODE", help="sign language; see `signloom languages`")
    add("--gloss", action="store_true", help="the text is glosses, for a model that takes them")
    add("--speed", type=float, default=1.0, metavar="X", help="0.25 to 4 times as fast")
    add("--mirror", action="store_true", help="sign with the other hand")
    add(
        "--subtitle",
        type=Path,
        metavar="FILE",
        help="write when each word is signed; ends in .srt or .vtt",
    )
    add("--json", action="store_true", help="print a report for machines: letter times, notes")
    add(
        "--strict",
        action="store_true",
        help="refuse a text of which something would be left out",
    )


def _add_senses(add: Callable[..., Any]) -> None:
    """Add the options that take what is said, or what a picture shows, for the text."""
    add(
        "--audio",
        type=Path,
        metavar="FILE",
        help="spell what is said in FILE, sound or a film; see `signloom transcribe`",
    )
    add(
        "--audio-model",
        metavar="NAME|DIR",
        help="model package that hears it; the default knows the ten English digits only",
    )
    add(
        "--image",
        type=Path,
        metavar="FILE",
        help="spell what a picture shows; see `signloom caption`, whose model must be installed",
    )
    add("--image-model", metavar="NAME|DIR", help="model package that captions it")


def run(options: Namespace) -> int:
    """Produce one text or a batch; return the exit code."""
    suffix = options.format or ".pose"
    _check_senses(options)
    from signloom.cli.manner import Manner

    manner = Manner(
        model=options.model,
        language=options.language,
        is_gloss=options.gloss,
        speed=options.speed,
        mirrored=options.mirror,
        strict=options.strict,
    )
    if options.batch is None:
        _refuse_idle(options)
        from signloom.cli.single import Target, run_single

        target = Target(
            outputs=options.output,
            subtitle=options.subtitle,
            suffix=suffix,
            overwrite=options.overwrite,
        )
        text = options.text
        if options.audio is not None:
            from signloom.cli.hearing import hear

            target.check()
            text = hear(options.audio, model=options.audio_model)
        elif options.image is not None:
            from signloom.cli.captioning import describe

            target.check()
            text = describe(options.image, model=options.image_model)
        run_single(text, target, manner=manner, as_json=options.json)
        return 0
    if options.text is not None or options.output or options.subtitle:
        raise ConfigError("--batch must stand alone, but a text, -o or --subtitle was given too.")
    from signloom.cli.batch import Batch, run_batch

    file, folder = options.batch
    batch = Batch(file=file, folder=folder, suffix=suffix)
    return run_batch(batch, manner=manner, overwrite=options.overwrite, as_json=options.json)


def _check_senses(options: Namespace) -> None:
    """Refuse sound or a picture beside another source of text, and their models without them."""
    given = []
    for name, file, model in (
        ("audio", options.audio, options.audio_model),
        ("image", options.image, options.image_model),
    ):
        if file is not None:
            given.append(f"--{name}")
        elif model is not None:
            raise ConfigError(f"--{name}-model must go with --{name} FILE, but there is none.")
    if given and (options.text is not None or options.batch is not None or options.gloss):
        raise ConfigError(
            f"{given[0]} must stand in place of the text, but a text, --batch or --gloss was given "
            "too."
        )
    if len(given) > 1:
        raise ConfigError("Either --audio or --image must be given, but both are.")


def _refuse_idle(options: Namespace) -> None:
    """Refuse options that say how to write a file that the text names, where it names none."""
    given = {"--format": options.format is not None, "--overwrite": options.overwrite}
    idle = [name for name, is_given in given.items() if is_given]
    if idle and (options.output or options.json):
        raise ConfigError(
            f"{idle[0]} must go with --batch or with a file that the text names, but -o or --json "
            "says otherwise. Drop it: -o takes the format from its suffix and replaces a file."
        )
