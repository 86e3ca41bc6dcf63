"""The part of `signloom evaluate` that is for translators: on sentences, and on spelled words."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.extras import need_extra
from signloom.cli.outputs import note
from signloom.cli.progress import progress
from signloom.cli.reports import check_report, command_line, tell_report
from signloom.errors import ConfigError

if TYPE_CHECKING:
    from signloom.evaluation.calibration import Calibration
    from signloom.evaluation.translators import TranslatorRow
    from signloom.runtime.package import Package

OPTIONS = ("source", "target", "samples", "beam", "length_penalty", "ensemble", "plot")
ENSEMBLE = "ensemble"
LETTERS_RIGHT = "letters right, %"


def add_options(add: Any) -> None:
    """Add what only translators understand."""
    add("--source", type=Path, metavar="FILE", help="lines of glosses, or features and sentences")
    add("--target", type=Path, metavar="FILE", help="lines of sentences, where --source is glosses")
    add("--samples", type=int, metavar="S", help="posterior samples to average (default: means)")
    add("--beam", type=int, metavar="N", help="hypotheses kept a step; default: the package's")
    add("--length-penalty", type=float, metavar="A", help="its exponent; default: the package's")
    add("--ensemble", action="store_true", help="add a row in which all the models vote")
    add("--plot", type=Path, metavar="FILE.png|svg", help="draw confidence against outcome")


def evaluate_translators(options: Namespace, packages: Sequence[Package]) -> int:
    """Evaluate, print the table and draw the picture; return the exit code."""
    from signloom.evaluation.calibration_plot import check_plot

    check_report(options)
    if options.plot:
        check_plot(options.plot)
    rows = _rows(options, packages)
    if options.source or options.target:
        return _evaluate_sentences(options, rows)
    return _evaluate_spelled(options, rows)


def _rows(options: Namespace, packages: Sequence[Package]) -> dict[str, TranslatorRow]:
    from signloom.evaluation.packages import refuse_same_names
    from signloom.evaluation.translators import TranslatorRow

    refuse_same_names(options.models)
    members: dict[str, tuple[Package, ...]] = {
        Path(model).name: (package,)
        for model, package in zip(options.models, packages, strict=True)
    }
    if options.ensemble:
        if len(packages) < 2 or ENSEMBLE in members:
            raise ConfigError(
                f"--ensemble must have at least 2 models, none called `{ENSEMBLE}`, but has "
                f"{', '.join(members)}."
            )
        members[ENSEMBLE] = tuple(packages)
    return {
        name: TranslatorRow(
            packages=group,
            samples=options.samples or 0,
            beam=options.beam,
            length_penalty=options.length_penalty,
            seed=options.seed,
        )
        for name, group in members.items()
    }


def _evaluate_sentences(options: Namespace, rows: Mapping[str, TranslatorRow]) -> int:
    need_extra("eval", "Scoring translations")
    from signloom.evaluation.held_out_pairs import read_held_out
    from signloom.evaluation.report import to_table
    from signloom.evaluation.translator_report import (
        FIGURES,
        evaluate_translators,
        to_translator_document,
    )

    name, first = next(iter(rows.items()))
    if options.source is None:
        raise ConfigError("--target needs the sources that it belongs to. Add --source FILE.")
    if options.language not in (None, *first.settings.languages):
        raise ConfigError(
            f"`language` must be {' or '.join(first.settings.languages)}, which {name} reads, but "
            f"is {options.language[:40]!r}."
        )
    pairs = read_held_out(options.source, options.target, settings=first.settings, name=name)
    with progress("translate", len(rows) * len(pairs)) as done:
        result = evaluate_translators(rows, pairs, seed=options.seed, done=done)
    document = to_translator_document(result, command=command_line())
    tell_report(document, to_table(result, FIGURES), options)
    _draw(options, result.calibrations)
    return 0


def _evaluate_spelled(options: Namespace, rows: Mapping[str, TranslatorRow]) -> int:
    need_extra("data", "Evaluating")
    from signloom.evaluation.reading import (
        FIGURES,
        evaluate_reading,
        held_out_words,
        num_readings,
    )
    from signloom.evaluation.report import to_document, to_table
    from signloom.evaluation.run import refuse_numbers

    refuse_numbers(count=options.words, doubled=options.doubled, seed=options.seed)
    languages = (options.language,) if options.language else ()
    sets = held_out_words(
        rows,
        languages=languages,
        count=options.words,
        doubled=options.doubled,
        seed=options.seed,
    )
    with progress("read", num_readings(rows, sets)) as done:
        result = evaluate_reading(rows, sets, seed=options.seed, done=done)
    tell_report(to_document(result, command=command_line()), to_table(result, FIGURES), options)
    for shortage in result.shortages:
        note(shortage)
    for name, failures in result.failures.items():
        for failure in failures:
            note(f"{name}: {failure}")
    _draw(options, result.calibrations, quality=LETTERS_RIGHT)
    return 0


def _draw(
    options: Namespace, calibrations: Mapping[str, Calibration], *, quality: str | None = None
) -> None:
    from signloom.evaluation.calibration_plot import plot_calibration

    if options.plot:
        named = {} if quality is None else {"quality": quality}
        plot_calibration(calibrations, options.plot, **named)
        note(f"wrote {options.plot}")
