"""`signloom render`: a pose in, a film, an animation or a picture out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def render(
    pose: Annotated[Path, typer.Argument(metavar="IN", help="A pose; ends in .pose or .json.")],
    outputs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="OUT...", help="Where to write; ends in .mp4, .gif, .png, .pose or .json."
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option("-o", "--output", metavar="FILE", help="The same as OUT. May be repeated."),
    ] = None,
) -> None:
    """Draw a pose as a film (.mp4), an animation (.gif) or a contact sheet (.png).

    Also converts between .pose and .json.
    """
    from signloom.errors import FormatError
    from signloom.poses import formats

    wanted = [*(outputs or ()), *(output or ())]
    if not wanted:
        raise FormatError("An output is needed. Give it as in `signloom render in.pose out.mp4`.")
    for path in wanted:
        formats.check_output(path)
    loaded = formats.read(pose)
    for path in wanted:
        formats.write(loaded, path)
        typer.echo(str(path))
