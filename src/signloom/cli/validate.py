"""`signloom data validate`: every fault of a corpus, one a line."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from typing import TYPE_CHECKING, Any

from signloom.cli.inspect import FAULTS_FOUND, add_corpus, look, note_remarks
from signloom.cli.outputs import answer, answer_json
from signloom.cli.prepare import CAPTION_HINT, READERS_HINT, SPEECH_HINT
from signloom.cli.progress import progress

if TYPE_CHECKING:
    from signloom.data.findings import Findings
    from signloom.data.readers.findings import CorpusFindings

DESCRIPTION = """
Check a corpus, or a prepared one, and name every fault with its file, line and value. The exit
code is 0 if there is none, else 2.
"""


def add_to(parts: Any) -> None:
    """Add this part of `signloom data`."""
    parser = parts.add_parser(
        "validate",
        help="name every fault of a corpus",
        description=DESCRIPTION,
        epilog=f"{READERS_HINT} {SPEECH_HINT} {CAPTION_HINT}",
    )
    parser.set_defaults(run=run)
    add_corpus(parser)
    parser.add_argument("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Validate; return the exit code."""
    from signloom.data.inspection import to_document
    from signloom.data.readers.registry import CAPTION_READERS

    noun = "pictures" if options.reader in CAPTION_READERS else "utterances"
    findings = _look(options)
    count = len(findings.faults)
    splits = Counter(one.split for one in findings.seen)
    if options.json:
        faults, remarks = (
            [to_document(found) for found in listed]
            for listed in (findings.faults, findings.remarks)
        )
        counts = {noun: len(findings.seen), "splits": splits}
        answer_json({**counts, "faults": faults, "remarks": remarks})
    else:
        what = {0: "no fault", 1: "1 fault"}.get(count, f"{count} faults")
        parts = ", ".join(f"{split} {number}" for split, number in splits.items())
        read = f"{len(findings.seen)} {noun} read{f': {parts}' if parts else ''}"
        answer(f"{what} in {options.source}, {read}")
        for fault in findings.faults:
            answer(" ".join(str(fault).split()))
        note_remarks(findings)
    return FAULTS_FOUND if findings.faults else 0


def _look(options: Namespace) -> Findings | CorpusFindings[Any]:
    from signloom.data.readers.registry import CAPTION_READERS, SPEECH_READERS

    if options.reader in CAPTION_READERS:
        from signloom.data.captions.findings import look_at
        from signloom.data.captions.readers.registry import open_captions

        captions = open_captions(options.reader, options.source, options.options)
        with progress("look", len(captions.entries)) as advance:
            return look_at(captions, advance=advance)
    if options.reader not in SPEECH_READERS:
        return look(options)
    from signloom.data.speech.findings import listen_to
    from signloom.data.speech.readers.registry import open_speech

    reading = open_speech(options.reader, options.source, options.options)
    with progress("listen", len(reading.entries)) as advance:
        return listen_to(reading, advance=advance)
