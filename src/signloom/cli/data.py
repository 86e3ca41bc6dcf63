"""`signloom data`: corpora and a person's own data, made ready to learn from."""

from __future__ import annotations

from typing import Any

from signloom.cli import features, inspect, lift, prepare, readers, validate

DESCRIPTION = """
Corpora of the field and your own poses, speech and captioned pictures: have every fault named, make
them ready to learn from.
"""
PARTS = (readers, inspect, validate, prepare, features, lift)
"""Each adds its part with `add_to`."""


def add_to(verbs: Any) -> None:
    """Add the verb and its parts to the command line."""
    parser = verbs.add_parser(
        "data", help="prepare, inspect and validate corpora", description=DESCRIPTION
    )
    parts = parser.add_subparsers(metavar="COMMAND", required=True)
    for part in PARTS:
        part.add_to(parts)
