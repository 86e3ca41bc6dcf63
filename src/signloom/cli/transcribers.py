"""The part of `signloom evaluate` that is for transcribers: utterances of a corpus of speech."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.held_out import check_held_out
from signloom.cli.progress import progress
from signloom.cli.reports import command_line, tell_report
from signloom.errors import ConfigError

if TYPE_CHECKING:
    from signloom.data.speech.corpus import SpeechCorpus
    from signloom.data.speech.utterance import Utterance
    from signloom.pipelines.transcribe import Transcriber

OPTIONS = ("corpus", "reader", "option", "iterations")


@dataclass(frozen=True, kw_only=True)
class StringOptions:
    """What `--option` may say of strings of digits."""

    seed: int = 2026
    """Decides them."""
    num_test: int = 1000
    """Strings of `test`."""
    held_out: str = ""
    """A speaker who is tested alone, by every recording."""


def add_options(add: Any) -> None:
    """Add what only transcribers understand."""
    add(
        "--iterations",
        type=int,
        metavar="J",
        help="passes that refine a transcript, at most; default: the package's",
    )


def evaluate_transcribers(options: Namespace) -> int:
    """Evaluate and print the table; return the exit code."""
    from signloom.evaluation.report import to_document, to_table
    from signloom.evaluation.transcription import FIGURES, evaluate_transcription
    from signloom.pipelines.transcribe import Transcriber

    check_held_out(options, nobody="no transcriber reads")
    models = {
        Path(model).name: Transcriber(model, iterations=options.iterations)
        for model in options.models
    }
    utterances, rate = _utterances(options, models)
    with progress("hear", len(models) * len(utterances)) as done:
        result = evaluate_transcription(
            models,
            utterances,
            rate=rate,
            corpus=f"{options.reader}|split:{options.split}",
            seed=options.seed,
            done=done,
        )
    tell_report(to_document(result, command=command_line()), to_table(result, FIGURES), options)
    return 0


def _utterances(
    options: Namespace, models: Mapping[str, Transcriber]
) -> tuple[Sequence[Utterance], int]:
    """List a split in the language and unit that the models write, and the rate of its sound."""
    from signloom.data.speech.config import STRINGS
    from signloom.data.speech.listed import list_recorded
    from signloom.evaluation.transcription import manner_of

    if options.corpus is None or options.reader is None:
        raise ConfigError(
            "A transcriber must be given speech, but there is none. Name a corpus: --corpus DIR "
            f"--reader NAME, one that reads speech in `signloom data readers`, or {STRINGS}."
        )
    if options.reader == STRINGS:
        strings = _strings(options)
        return strings.examples(options.split), strings.rate
    unit, language = manner_of(models)
    rate = next(iter(models.values())).settings.rate
    _, found = list_recorded(
        options.reader,
        options.corpus,
        options.option or (),
        spoken_language=language,
        unit=unit,
        rate=rate,
        splits=(options.split,),
    )
    return found[options.split], rate


def _strings(options: Namespace) -> SpeechCorpus:
    from signloom.data.readers.options import parse_options
    from signloom.data.speech.config import STRINGS, SpeechCorpusConfig
    from signloom.training.ranges import check_ranges

    chosen = parse_options(StringOptions, options.option or (), reader=STRINGS)
    config = SpeechCorpusConfig(path=str(options.corpus), **asdict(chosen))
    check_ranges(config, "corpus")
    return config.open()
