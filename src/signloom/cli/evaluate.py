"""`signloom evaluate`: how good models are on what they have never seen."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli import captioners, recognizers, transcribers, translators
from signloom.cli.extras import need_extra
from signloom.cli.outputs import note
from signloom.cli.reports import check_report, command_line, tell_report
from signloom.errors import ConfigError

if TYPE_CHECKING:
    from signloom.runtime.package import Package

DESCRIPTION = """
Let production models spell held-out words at their own length, and have a recogniser read them
back, beside the rows ground truth, stitched, mean pose and shuffled. With --corpus, let models of
words or glosses sign the utterances of a prepared corpus, and measure how far they are from them.
Let translators read held-out words that are spelled to them, or, with --source, translate sentences
of glosses or features: each row is compared with the first. Let recognisers read held-out phrases,
or with --corpus the clips of a corpus, prepared or read with --reader. Let transcribers hear the
utterances of a corpus of speech: --corpus and --reader, which may be fsdd-strings. Let captioners
look at the pictures of a corpus of captions: --corpus and --reader.
"""
DEFAULT_LANGUAGE = "ase"
OPTIONS = ("judge", "corpus")
"""What only models of production understand, or these and others."""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "evaluate",
        help="measure models on what they have never seen",
        description=DESCRIPTION,
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add(
        "models",
        nargs="*",
        metavar="NAME|DIR",
        help="packages of one system; default: the shipped one that spells",
    )
    add(
        "--words",
        type=int,
        default=300,
        metavar="N",
        help="held-out words (default: 300); of a recogniser phrases a language, at most 100",
    )
    add("--doubled", type=int, default=100, metavar="N", help="at least so many with a double")
    add("--seed", type=int, default=0, help="fixes words, references and chance (default: 0)")
    add("--language", metavar="CODE", help="sign language; default: ase, or all that are read")
    add("--corpus", type=Path, metavar="DIR", help="what `signloom data prepare` wrote")
    add("--split", default="test", help="split of --corpus (default: test)")
    add(
        "--judge",
        metavar="NAME|DIR",
        help="what reads the output, a recogniser or a translator; default: the shipped one",
    )
    translators.add_options(add)
    recognizers.add_options(add)
    transcribers.add_options(add)
    add("-o", "--output", type=Path, metavar="FILE.json", help="write the report as JSON, too")
    add("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Evaluate and print the table; return the exit code."""
    packages = _packages(options)
    system = packages[0].system if packages else "produce"
    name = options.models[0] if options.models else "the default model"
    own = {
        "translate": translators.OPTIONS,
        "recognize": recognizers.OPTIONS,
        "transcribe": transcribers.OPTIONS,
        "caption": captioners.OPTIONS,
        "produce": OPTIONS,
    }
    for other, names in own.items():
        foreign = [one for one in names if one not in own.get(system, ())]
        refuse_options(options, foreign, name=name, system=other)
    if system == "translate":
        return translators.evaluate_translators(options, packages)
    if system == "recognize":
        return recognizers.evaluate_recognizers(options, packages)
    if system == "caption":
        return captioners.evaluate_captioners(options)
    if system == "transcribe":
        return transcribers.evaluate_transcribers(options)
    need_extra("data", "Evaluating")
    return _run_corpus(options) if options.corpus else _run_words(options)


def refuse_options(options: Namespace, names: Sequence[str], *, name: str, system: str) -> None:
    """Refuse options of one system where another's model is evaluated.

    Raises:
        ConfigError: One is given.
    """
    for option in names:
        if getattr(options, option) not in (None, False):
            raise ConfigError(
                f"--{option.replace('_', '-')} is for models of the system `{system}`, but {name} "
                "is none. Leave it out, or name such a model."
            )


def _packages(options: Namespace) -> list[Package]:
    """Read the packages; refuse those of several systems."""
    from signloom.runtime.package import load_package

    packages = [load_package(model) for model in options.models]
    systems = {package.system: package.name for package in reversed(packages)}
    if len(systems) > 1:
        named = " and ".join(f"{name} is one of `{system}`" for system, name in systems.items())
        raise ConfigError(
            f"All models must be of one system, but {named}. Evaluate each system by itself."
        )
    return packages


def _run_words(options: Namespace) -> int:
    from signloom.evaluation.report import to_document, to_table
    from signloom.evaluation.run import run as evaluate
    from signloom.runtime.registry import fingerspelling_package

    check_report(options)
    language = options.language or DEFAULT_LANGUAGE
    result = evaluate(
        options.models or [fingerspelling_package("produce", language)],
        language=language,
        judge=options.judge,
        count=options.words,
        doubled=options.doubled,
        seed=options.seed,
    )
    tell_report(to_document(result, command=command_line()), to_table(result), options)
    for name, failures in result.failures.items():
        for failure in failures:
            note(f"{name}: {failure}")
    return 0


def _run_corpus(options: Namespace) -> int:
    from signloom.evaluation.recordings import FIGURES, evaluate_recordings
    from signloom.evaluation.report import to_document, to_table

    check_report(options)
    result = evaluate_recordings(
        options.models, options.corpus, split=options.split, seed=options.seed
    )
    tell_report(to_document(result, command=command_line()), to_table(result, FIGURES), options)
    return 0
