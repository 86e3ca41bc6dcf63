"""SVG: an endless animation in lines, sharp at every size and small enough for a web page.

Each part of the figure is one line or plate whose points change from frame to frame, in SMIL, which
browsers play without a script; a viewer that knows no animation shows the first frame. The loop
lasts as long as the pose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from signloom.errors import FormatError
from signloom.poses.captions import Caption, check_captions
from signloom.poses.pose import Pose
from signloom.poses.render import palette
from signloom.poses.render.camera import whole_figure
from signloom.poses.render.film import film_size
from signloom.poses.render.lettering import fit, word_at
from signloom.poses.render.lines import Line, figure_lines

SIZE_PX = 640
MAX_FRAMES = 5_000
"""Most frames of a drawing: 3 minutes at 25 fps, some 4 MB."""

LETTER = 0.6
"""Width of a letter as a part of its height, on average."""


@dataclass(frozen=True)
class _Loop:
    """How long all the frames last."""

    seconds: float

    def animate(self, attribute: str, values: Sequence[str]) -> str:
        """Give the element that shows one value a frame; nothing where they are all the same."""
        if len(set(values)) == 1:
            return ""
        return (
            f'<animate attributeName="{attribute}" dur="{self.seconds:.6f}s" calcMode="discrete" '
            f'repeatCount="indefinite" values="{";".join(values)}"/>'
        )

    def show(self, is_shown: Sequence[bool]) -> str:
        """Give the element that shows and hides its parent; nothing where it always shows."""
        if all(is_shown):
            return ""
        runs = [(shown, len(list(group))) for shown, group in groupby(is_shown)]
        starts = [sum(count for _, count in runs[:run]) for run in range(len(runs))]
        times = ";".join(f"{start / len(is_shown):.7g}" for start in starts)
        values = ";".join(_visibility(shown) for shown, _ in runs)
        return (
            f'<animate attributeName="visibility" dur="{self.seconds:.6f}s" calcMode="discrete" '
            f'repeatCount="indefinite" keyTimes="{times}" values="{values}"/>'
        )


def write(pose: Pose, path: Path, *, captions: Sequence[Caption] = ()) -> None:
    """Write an animated drawing of the pose.

    Raises:
        FormatError: There are too many frames, or captions out of order.
    """
    if pose.num_frames > MAX_FRAMES:
        raise FormatError(
            f"At most {MAX_FRAMES} frames can be drawn as .svg, but there are {pose.num_frames}. "
            "Draw parts of it, or write a film."
        )
    check_captions(captions)
    path.write_text("\n".join(_elements(pose, captions)) + "\n", encoding="utf-8")


def _elements(pose: Pose, captions: Sequence[Caption]) -> Iterator[str]:
    width, height = film_size(SIZE_PX, captions)
    camera = whole_figure(pose, size=(SIZE_PX, SIZE_PX))
    loop = _Loop(pose.duration_s)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'stroke-linecap="round" stroke-linejoin="round" fill="none">'
    )
    yield f"<title>{pose.num_frames} frames, {pose.fps:g} fps</title>"
    yield f'<rect width="{width}" height="{height}" fill="{palette.hex_of(palette.BACKGROUND)}"/>'
    for number, line in enumerate(figure_lines(pose, camera)):
        yield from _drawn(line, name=f"part{number}", loop=loop)
    if captions:
        yield from _words(pose, captions, height=height - SIZE_PX, loop=loop)
    yield "</svg>"


def _drawn(line: Line, *, name: str, loop: _Loop) -> Iterator[str]:
    """Draw one line: its points once, and with them its edge, then itself."""
    if not line.seen.any():
        return
    values = [_points(points) for points in line.points]
    shown = line.seen.tolist()
    element = "polygon" if line.is_plate else "polyline"
    yield f'<g visibility="{_visibility(shown[0])}">{loop.show(shown)}'
    yield (
        f'<defs><{element} id="{name}" points="{values[0]}">'
        f"{loop.animate('points', values)}</{element}></defs>"
    )
    for color, thickness in (
        (line.edge, line.width + 2 * line.edge_width),
        (line.fill, line.width),
    ):
        fill = f' fill="{palette.hex_of(color)}"' if line.is_plate else ""
        yield (
            f'<use href="#{name}" stroke="{palette.hex_of(color)}" '
            f'stroke-width="{thickness:.1f}"{fill}/>'
        )
    yield "</g>"


def _words(pose: Pose, captions: Sequence[Caption], *, height: int, loop: _Loop) -> Iterator[str]:
    """Write the word of each moment, its current letter in front, under the figure."""
    size = 0.62 * height
    measure = partial(_width, size=size)
    moments = [word_at(captions, frame / pose.fps) for frame in range(pose.num_frames)]
    frame = 0
    for parts, group in groupby(moments):
        count = len(list(group))
        first, frame = frame, frame + count
        if not any(parts):
            continue
        shown = [first <= number < frame for number in range(pose.num_frames)]
        colors = (palette.INK, palette.ACCENT, palette.FAINT)
        fitted = fit(parts, measure=measure, width=0.94 * SIZE_PX)
        spans = "".join(
            f'<tspan fill="{palette.hex_of(color)}">{escape(part)}</tspan>'
            for part, color in zip(fitted, colors, strict=True)
        )
        yield (
            f'<text x="{SIZE_PX / 2:g}" y="{SIZE_PX + 0.7 * height:g}" font-size="{size:.0f}" '
            f'font-family="sans-serif" text-anchor="middle" '
            f'visibility="{_visibility(shown[0])}">{spans}{loop.show(shown)}</text>'
        )


def _visibility(is_shown: bool) -> str:
    return "visible" if is_shown else "hidden"


def _width(text: str, *, size: float) -> float:
    return LETTER * size * len(text)


def _points(points: NDArray[np.float64]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points.tolist())
