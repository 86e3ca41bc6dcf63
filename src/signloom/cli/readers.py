"""`signloom data readers`: what can be read, and the options of each reader."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from signloom.cli.outputs import answer, answer_json

if TYPE_CHECKING:
    from signloom.data.captions.readers.reading import CaptionReader
    from signloom.data.readers.reading import Reader
    from signloom.data.speech.readers.reading import SpeechReader

DESCRIPTION = """
List the readers: the files that each reads, its language, the licence of its data, and its options
with their defaults, to be set with --set NAME=VALUE.
"""


def add_to(parts: Any) -> None:
    """Add this part of `signloom data`."""
    parser = parts.add_parser("readers", help="list what can be read", description=DESCRIPTION)
    parser.set_defaults(run=run)
    parser.add_argument("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """List the readers; return the exit code."""
    from dataclasses import asdict

    from signloom.data.captions.readers.registry import find_caption_reader
    from signloom.data.readers.registry import (
        CAPTION_READERS,
        READERS,
        SPEECH_READERS,
        find_reader,
    )
    from signloom.data.speech.readers.registry import find_speech_reader

    found: list[Reader | SpeechReader | CaptionReader] = [
        *map(find_reader, READERS),
        *map(find_speech_reader, SPEECH_READERS),
        *map(find_caption_reader, CAPTION_READERS),
    ]
    if options.json:
        answer_json(
            [asdict(reader.ABOUT) | {"options": asdict(reader.Options())} for reader in found]
        )
        return 0
    for reader in found:
        about = reader.ABOUT
        answer(f"{about.name}: {about.reads}")
        signed = about.kind not in ("speech", "captions")
        of = f"language {about.language}" if signed else about.kind
        answer(f"  {of}, text {about.spoken_language}, {about.licence}")
        values = ", ".join(f"{key}={value}" for key, value in asdict(reader.Options()).items())
        answer(f"  options {values or 'none'}")
    return 0
