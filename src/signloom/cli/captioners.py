"""The part of `signloom evaluate` that is for captioners: pictures of a corpus of captions."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from signloom.cli.progress import progress
from signloom.cli.reports import check_report, command_line, tell_report
from signloom.errors import ConfigError

OPTIONS = ("corpus", "reader", "option", "beam")


def evaluate_captioners(options: Namespace) -> int:
    """Evaluate and print the table; return the exit code."""
    from signloom.data.captions.readers.registry import open_captions
    from signloom.data.corpora.words import SPLITS
    from signloom.data.readers.reading import refuse_faults
    from signloom.evaluation.captions import FIGURES, evaluate_captions
    from signloom.evaluation.packages import refuse_same_names
    from signloom.evaluation.report import to_document, to_table
    from signloom.pipelines.caption import Captioner

    refuse_same_names(options.models)
    check_report(options)
    if options.language is not None:
        raise ConfigError("--language is a sign language, which no captioner knows: leave it out.")
    if options.split not in SPLITS:
        raise ConfigError(f"--split must be one of {', '.join(SPLITS)}, but is {options.split}.")
    if options.corpus is None or options.reader is None:
        raise ConfigError(
            "A captioner must be given pictures, but there are none. Name a corpus: --corpus DIR "
            "--reader NAME, one that reads captions in `signloom data readers`."
        )
    reading = open_captions(options.reader, options.corpus, options.option or ())
    refuse_faults(reading, options.corpus)
    pictures = reading.splits()[options.split]
    models = {Path(one).name: Captioner(one, beam=options.beam) for one in options.models}
    with progress("caption", len(models) * len(pictures)) as done:
        result = evaluate_captions(
            models,
            pictures,
            corpus=f"{options.reader}|split:{options.split}",
            seed=options.seed,
            done=done,
        )
    tell_report(to_document(result, command=command_line()), to_table(result, FIGURES), options)
    return 0
