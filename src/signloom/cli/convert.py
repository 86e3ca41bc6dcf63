"""`signloom convert`: poses from one format into another, one, many or a folder of them."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

DESCRIPTION = """
Convert poses between formats; the suffixes say which. .skels and .pt files hold many sequences: a
folder as OUT takes a file for each, a folder as IN fills one, and --sequence takes one of them.
What a format cannot hold is refused or, where it can be mended, mended and noted: for .skels and
.pt, poses are resampled to 25 frames a second, and joints that were not seen are interpolated.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "convert", help="convert poses between formats", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add(
        "source",
        type=Path,
        metavar="IN",
        help="a file that ends in .pose, .json, .skels or .pt, or a folder of such files",
    )
    add(
        "target",
        type=Path,
        metavar="OUT",
        help="a file that ends in .pose, .json, .skels, .pt, .mp4, .gif, .png or .svg, or a folder",
    )
    add("--layout", metavar="NAME", help="points of a .pose: mediapipe (the default) or openpose")
    add("--fps", type=float, metavar="F", help="resample to this frame rate")
    add(
        "--skeleton",
        type=Path,
        metavar="FILE",
        help="read joints of another skeleton, which this JSON file maps to ours",
    )
    add("--sequence", type=int, metavar="N", help="take this one of many sequences, from 1")
    add(
        "--swap-sides",
        action="store_true",
        help="take joints 2-4 and their hand in .skels for the signer's right, not left",
    )
    add(
        "--format", metavar="SUFFIX", help="format of the files in a folder OUT; .pose if not given"
    )
    add("--overwrite", action="store_true", help="replace outputs that are there already")


def run(options: Namespace) -> int:
    """Convert; return the exit code."""
    from signloom.cli.conversion import convert
    from signloom.cli.sequences import Conversion

    return convert(
        options.source,
        options.target,
        Conversion(
            layout=options.layout,
            fps=options.fps,
            skeleton=options.skeleton,
            sequence=options.sequence,
            swap_sides=options.swap_sides,
            suffix=options.format,
            overwrite=options.overwrite,
        ),
    )
