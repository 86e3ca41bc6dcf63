"""`signloom data inspect`: what a corpus holds and what is wrong with it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.outputs import answer, answer_json, note
from signloom.cli.prepare import READERS_HINT, add_options
from signloom.cli.progress import progress

if TYPE_CHECKING:
    from signloom.data.findings import Findings
    from signloom.data.readers.findings import CorpusFindings

DESCRIPTION = """
Read every recording of a corpus, or every shard of a prepared one, and say what is there: counts,
lengths, frame rates, signers, vocabularies, joints that were not seen, repeats, texts of training
in dev and test. The exit code is 2 if something is wrong.
"""
FAULTS_FOUND = 2
SHOWN_REMARKS = 20


def add_to(parts: Any) -> None:
    """Add this part of `signloom data`."""
    parser = parts.add_parser(
        "inspect", help="say what a corpus holds", description=DESCRIPTION, epilog=READERS_HINT
    )
    parser.set_defaults(run=run)
    add_corpus(parser)
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw lengths and more")
    parser.add_argument("--json", action="store_true", help="print JSON for machines")


def add_corpus(parser: Any) -> None:
    """Add the arguments that name a corpus."""
    parser.add_argument("source", type=Path, metavar="DIR", help="folder of the data")
    parser.add_argument(
        "reader",
        nargs="?",
        metavar="READER",
        help="what reads the data; not needed for a prepared corpus",
    )
    add_options(parser)


def run(options: Namespace) -> int:
    """Inspect; return the exit code."""
    from signloom.data.inspection import summarise

    if options.plot:
        from signloom.data.plots import check_plot, plot

        check_plot(options.plot)
    findings = look(options)
    document = summarise(findings)
    if options.plot:
        plot(findings, options.plot)
        note(f"wrote {options.plot}")
    if options.json:
        answer_json(document)
    else:
        _show(document)
    note_remarks(findings)
    for fault in findings.faults:
        note(f"fault: {fault}")
    return FAULTS_FOUND if findings.faults else 0


def note_remarks(findings: Findings | CorpusFindings[Any]) -> None:
    """Name the first remarks; a corpus of weather forecasts has hundreds of repeated texts."""
    for remark in findings.remarks[:SHOWN_REMARKS]:
        note(f"remark: {remark}")
    more = len(findings.remarks) - SHOWN_REMARKS
    if more > 0:
        note(f"remark: {more} more; --json lists them all")


def look(options: Namespace) -> Findings:
    """Look at the corpus that the arguments name."""
    from signloom.data.findings import look_at_prepared, look_at_reading
    from signloom.data.prepared import is_prepared, read_card
    from signloom.data.readers.registry import open_reading
    from signloom.errors import ConfigError, FormatError

    if options.reader is None and is_prepared(options.source):
        if options.options:
            raise ConfigError("--set must go with a READER, but there is none.")
        counts = read_card(options.source)["splits"].values()
        with progress("read", sum(count["utterances"] for count in counts)) as advance:
            return look_at_prepared(options.source, advance=advance)
    if not options.source.is_dir():
        swapped = options.reader is not None and Path(options.reader).is_dir()
        hint = f" The folder comes first: {options.reader} {options.source}." if swapped else ""
        raise FormatError(f"The data must be in a folder, but {options.source} is none.{hint}")
    if options.reader is None:
        raise ConfigError(
            f"{options.source} has no card of a prepared corpus. Name what reads it, as in "
            f"`signloom data inspect {options.source} folder`. {READERS_HINT}"
        )
    reading, _ = open_reading(options.reader, options.source, options.options)
    with progress("read", len(reading.entries)) as advance:
        return look_at_reading(reading, advance=advance)


def _show(document: dict[str, Any]) -> None:
    splits = document["splits"]
    for key in ("name", "kind", "language", "spoken_language", "licence"):
        answer(f"{key:<16}  {document[key]}")
    for key in next(iter(splits.values()), {}):
        cells = "".join(f"{counts[key]:>12}" for counts in splits.values())
        if key == "utterances":
            answer(f"{'':<16}  {''.join(f'{split:>12}' for split in splits)}")
        answer(f"{key:<16}  {cells}")
    for key in ("fps", "signers"):
        shown = ", ".join(f"{value} ({count})" for value, count in document[key].items())
        answer(f"{key:<16}  {shown}")
    answer(f"{'faults':<16}  {len(document['faults'])}")
    answer(f"{'remarks':<16}  {len(document['remarks'])}")
