"""`signloom data prepare`: a corpus in, shards to learn from out."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from signloom.cli.outputs import answer, answer_json, note
from signloom.cli.progress import progress

DESCRIPTION = """
Read a corpus, bring it to 25 frames a second and 50 joints, fill the gaps, and write it as Parquet
shards with a card. A run that was killed goes on when it is started again.
"""

READERS_HINT = (
    "Readers: folder, phoenix14t-skels, phoenix14t-csv, csl, boston104, dgs, lexicon, isl13; of "
    "films: phoenix14-frames, phoenix14t-frames, csl-frames, frames. "
    "`signloom data readers` says what each reads."
)
SPEECH_HINT = "Of speech: kaldi, jsonl, table, aishell1, magicdata."
CAPTION_HINT = "Of captioned pictures: flickr8k, coco, captions."


def add_to(parts: Any) -> None:
    """Add this part of `signloom data`."""
    parser = parts.add_parser(
        "prepare",
        help="write a corpus as shards to learn from",
        description=DESCRIPTION,
        epilog=READERS_HINT,
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("reader", metavar="READER", help="what reads the data; see below")
    add("source", type=Path, metavar="SRC", help="folder of the data")
    add("folder", type=Path, metavar="DST", help="where the corpus goes: a new folder")
    add_options(parser)
    add("--json", action="store_true", help="print JSON for machines")


def add_options(parser: Any) -> None:
    """Add the reader's options."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="options",
        metavar="NAME=VALUE",
        help="an option of the reader; may be repeated",
    )


def run(options: Namespace) -> int:
    """Prepare; return the exit code."""
    from signloom.data.preparation import prepare
    from signloom.data.readers.registry import open_reading

    reading, values = open_reading(options.reader, options.source, options.options)
    with progress("prepare", len(reading.entries)) as advance:
        done = prepare(
            reading, options.folder, source=options.source, options=values, advance=advance
        )
    note(f"{done.written} shards written, {done.kept} there already")
    if options.json:
        answer_json({"folder": str(options.folder), **done.card})
        return 0
    answer("split  utterances  minutes  missing joints")
    for split, counts in done.card["splits"].items():
        minutes = counts["frames"] / done.card["fps"] / 60
        missing = f"{100 * counts['missing_joints']:.1f} %"
        answer(f"{split:<5}  {counts['utterances']:>10}  {minutes:>7.2f}  {missing:>14}")
    return 0
