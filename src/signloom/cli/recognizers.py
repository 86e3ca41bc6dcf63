"""The part of `signloom evaluate` that is for recognisers: held-out phrases, or a corpus."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.extras import need_extra
from signloom.cli.progress import progress
from signloom.cli.reports import check_report, command_line, tell_report
from signloom.errors import ConfigError

if TYPE_CHECKING:
    from signloom.data.example import Example
    from signloom.pipelines.recognize import Recognizer
    from signloom.runtime.package import Package

OPTIONS = ("corpus", "beam", "reader", "option", "language_model_weight")


def add_options(add: Any) -> None:
    """Add what only recognisers understand."""
    add("--reader", metavar="NAME", help="read --corpus with this reader; see `data readers`")
    add(
        "--option",
        action="append",
        metavar="NAME=VALUE",
        help="option of the reader; may be repeated",
    )
    add(
        "--language-model-weight",
        type=float,
        metavar="W",
        help="what a recogniser's language model counts; default: the package's",
    )


def evaluate_recognizers(options: Namespace, packages: Sequence[Package]) -> int:
    """Evaluate and print the table; return the exit code."""
    need_extra("data", "Evaluating")
    from signloom.evaluation.packages import refuse_same_names
    from signloom.evaluation.recognition import FIGURES, evaluate_recognition, num_readings
    from signloom.evaluation.report import to_document, to_table

    refuse_same_names(options.models)
    check_report(options)
    clips, corpus = _corpus_clips(options) if options.corpus else _phrases(options, packages)
    models: dict[str, Callable[[str], Recognizer]] = {
        Path(model).name: partial(_opened, model, options) for model in options.models
    }
    with progress("read", num_readings(models, clips)) as done:
        result = evaluate_recognition(
            models,
            clips,
            corpus=corpus,
            clean=clean_up_of(options.reader),
            seed=options.seed,
            done=done,
        )
    tell_report(to_document(result, command=command_line()), to_table(result, FIGURES), options)
    return 0


def clean_up_of(reader: str | None) -> Callable[[str], tuple[str, ...]] | None:
    """Give what a corpus's own evaluation does to glosses before errors are counted, if anything.

    Args:
        reader: Name of the corpus's reader.
    """
    from signloom.metrics.gloss_cleanup import clean_phoenix14, clean_phoenix14t

    known = {"phoenix14-frames": clean_phoenix14, "phoenix14t-frames": clean_phoenix14t}
    return known.get(reader or "")


def _opened(model: str, options: Namespace, language: str) -> Recognizer:
    from signloom.pipelines.recognize import Recognizer

    return Recognizer(
        model,
        language=language or options.language,
        beam=options.beam,
        language_model_weight=options.language_model_weight,
    )


def _corpus_clips(options: Namespace) -> tuple[list[Example], str]:
    """Read the utterances of a split that say their glosses."""
    from signloom.data.preparation import to_example
    from signloom.data.prepared import PreparedCorpus
    from signloom.data.readers.reading import refuse_faults
    from signloom.data.readers.registry import open_reading

    if options.reader is None:
        if options.option:
            raise ConfigError("--option must go with --reader NAME, but there is none.")
        corpus = PreparedCorpus.open(options.corpus)
        examples, name = list(corpus.examples(options.split)), str(corpus.card["name"])
    else:
        reading, _ = open_reading(options.reader, options.corpus, options.option or ())
        refuse_faults(reading, options.corpus)
        name = reading.about.name
        examples = [to_example(one) for one in reading.entries if one.split == options.split]
    clips = [one for one in examples if one.glosses]
    if not clips:
        raise ConfigError(
            f"The split `{options.split}` of {options.corpus} must have utterances with glosses, "
            f"but has none among {len(examples)}."
        )
    return clips, f"{name}|split:{options.split}"


def _phrases(options: Namespace, packages: Sequence[Package]) -> tuple[list[Example], str]:
    """Spell held-out phrases in every language that all the models read."""
    from signloom.data.corpora.spelled_phrases import PHRASES, SpelledPhrases
    from signloom.runtime.recognize_settings import RecognizeSettings

    if options.reader is not None or options.option:
        raise ConfigError("--reader must go with --corpus DIR, but there is none.")
    settings = [RecognizeSettings.read(package) for package in packages]
    for one in settings:
        if one.unit != "letters":
            raise ConfigError(
                f"{one.name} reads {one.unit}, so that there must be a corpus of them, but there "
                "is none. Give --corpus DIR, and --reader NAME where it is not prepared."
            )
        if options.language is not None and options.language not in one.languages:
            raise ConfigError(
                f"`language` must be one of {', '.join(one.languages)}, which {one.name} reads, "
                f"but is {options.language[:40]!r}."
            )
    shared = [
        code for code in settings[0].languages if all(code in one.languages for one in settings)
    ]
    languages = [options.language] if options.language else shared
    if not languages:
        raise ConfigError("The models must read a language in common, but read none.")
    most = min(options.words, PHRASES["test"])
    phrases = SpelledPhrases(languages).examples("test")
    clips = [
        one
        for language in languages
        for one in [clip for clip in phrases if clip.language == language][:most]
    ]
    return clips, f"fingerspelling-phrases|{','.join(languages)}"
