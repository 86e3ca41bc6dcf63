"""The part of `signloom evaluate` that is for captioners: pictures of a corpus of captions."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from signloom.cli.held_out import check_held_out
from signloom.cli.progress import progress
from signloom.cli.reports import command_line, tell_report
from signloom.errors import ConfigError

OPTIONS = ("corpus", "reader", "option", "beam")


def evaluate_captioners(options: Namespace) -> int:
    """Evaluate and print the table; return the exit code."""
    from signloom.data.captions.readers.registry import open_captions
    from signloom.data.readers.reading import refuse_faults
    from signloom.evaluation.captions import FIGURES, evaluate_captions
    from signloom.evaluation.report import to_document, to_table
    from signloom.pipelines.caption import Captioner

    check_held_out(options, nobody="no captioner knows")
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
