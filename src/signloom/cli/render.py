"""`signloom render`: a pose in, a film, an animation or a picture out."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from signloom.cli.outputs import answer
from signloom.errors import UserError

DESCRIPTION = """
Draw a pose as a film (.mp4), an animation (.gif, .svg) or a contact sheet (.png). Letters are
written under the figure if IN is a .json that `signloom produce` wrote; .pose carries no text.
`signloom convert` goes from format to format.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "render", help="draw a pose as a film or a picture", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("pose", type=Path, metavar="IN", help="a pose; ends in .pose, .json, .skels or .pt")
    add(
        "outputs",
        nargs="*",
        type=Path,
        metavar="OUT",
        help="where to write; ends in .mp4, .gif, .svg, .png or a suffix of a pose",
    )
    add(
        "-o",
        "--output",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="the same as OUT; may be repeated",
    )


def run(options: Namespace) -> int:
    """Write every output, after checking that each can be written; return the exit code."""
    from signloom.poses import formats

    outputs = [*options.outputs, *options.output]
    if not outputs:
        raise UserError("An output is needed. Give it as in `signloom render in.pose out.mp4`.")
    for path in outputs:
        formats.check_output(path)
    pose, captions = formats.read_captioned(options.pose)
    for path in outputs:
        formats.write(pose, path, captions=captions)
        answer(str(path))
    return 0
