"""A timeline: what is signed when and how sure that is, one bar a token over an axis of seconds.

Bars go from orange (nothing of it) to green (certain), which colour-blind people can tell apart. A
name that does not fit between its neighbours' is cut, and left out where nothing of it fits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from signloom.errors import FormatError
from signloom.poses.captions import check_captions
from signloom.poses.formats.atomic import check_writable, replacing
from signloom.poses.render import palette
from signloom.poses.render.lettering import fit, font

SUFFIXES = (".png", ".svg")
HEIGHT_PX = 160
MARGIN_PX = 24
LEAST_PX, MOST_PX = 480, 16_384
PX_PER_S = 110.0
BAR_TOP, BAR_BOTTOM = 52, 92
LEAST_BAR_PX = 3.0
NAME_PX, TICK_PX = 18, 14
GAP_PX, NAME_GAP_PX = 1, 4
LEGEND_PX, LEGEND_SHADES = 12, 5
LETTER = 0.62
"""Width of a letter of a drawing as a part of its height, on average."""
STEPS_S = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600)
LEAST_TICK_PX = 60
UNSURE, SURE = palette.ACCENT, palette.FINGERS[4]

Point = tuple[float, float]


class Bar(NamedTuple):
    """One token.

    Attributes:
        start_s: When it begins.
        end_s: When it ends.
        name: What is signed.
        confidence: How sure that is, 0 to 1.
    """

    start_s: float
    end_s: float
    name: str
    confidence: float


@dataclass
class _Layout:
    """What is drawn, in pixels; a text stands on its middle."""

    width: int
    boxes: list[tuple[Point, Point, palette.Color]] = field(default_factory=list)
    texts: list[tuple[Point, int, str, palette.Color]] = field(default_factory=list)


def check_timeline(path: Path) -> None:
    """Refuse a place where no timeline can be written.

    Raises:
        FormatError: The suffix is unknown or the place cannot be written to.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise FormatError(f"A timeline must end in .png or .svg, but {path} does not.")
    check_writable(path)


def write_timeline(bars: Sequence[Bar], path: Path, *, duration_s: float) -> None:
    """Draw a timeline; the file appears whole or not at all.

    Args:
        bars: The tokens, in order.
        path: Ends in `.png` or `.svg`.
        duration_s: How long the recording lasts.

    Raises:
        FormatError: The suffix is unknown, bars are out of order, or the place cannot be written.
    """
    check_timeline(path)
    check_captions([bar[:3] for bar in bars])
    is_drawing = path.suffix.lower() == ".svg"
    layout = _lay_out(bars, duration_s, measure=_measure_drawing if is_drawing else _measure)
    with replacing(path) as scratch:
        if is_drawing:
            scratch.write_text(_drawing(layout), encoding="utf-8")
        else:
            _paint(layout, scratch)


def color_of(confidence: float) -> palette.Color:
    """Give the colour of a confidence.

    Example:
        >>> color_of(0.0) == UNSURE, color_of(1.0) == SURE
        (True, True)
    """
    share = min(max(confidence, 0.0), 1.0)
    red, green, blue = (
        round(share * sure + (1 - share) * unsure)
        for unsure, sure in zip(UNSURE, SURE, strict=True)
    )
    return red, green, blue


def _lay_out(bars: Sequence[Bar], duration_s: float, *, measure: Callable[[str], float]) -> _Layout:
    length_s = max([duration_s, 1e-3, *(bar.end_s for bar in bars)])
    inner = min(max(length_s * PX_PER_S, LEAST_PX), MOST_PX)
    pace = inner / length_s
    layout = _Layout(round(inner) + 2 * MARGIN_PX)
    _add_axis(layout, length_s, pace)
    _add_legend(layout)
    middles = [MARGIN_PX + pace * (bar.start_s + bar.end_s) / 2 for bar in bars]
    edges = [-math.inf, *middles, math.inf]
    for place, bar in enumerate(bars):
        left = MARGIN_PX + pace * bar.start_s
        right = max(MARGIN_PX + pace * bar.end_s - GAP_PX, left + LEAST_BAR_PX)
        color = color_of(bar.confidence)
        layout.boxes.append(((left, BAR_TOP), (right, BAR_BOTTOM), color))
        middle = middles[place]
        # Two names share the room between their middles half and half.
        room = min(middle - edges[place], edges[place + 2] - middle, 2 * middle, layout.width)
        _, _, name = fit(("", "", bar.name), measure=measure, width=room - NAME_GAP_PX)
        layout.texts.append(((middle, BAR_TOP - 18), NAME_PX, name, palette.INK))
    return layout


def _add_axis(layout: _Layout, length_s: float, pace: float) -> None:
    top = BAR_BOTTOM + 10
    end = MARGIN_PX + length_s * pace
    layout.boxes.append(((MARGIN_PX, top), (end, top + 2), palette.FAINT))
    step = next((one for one in STEPS_S if one * pace >= LEAST_TICK_PX), STEPS_S[-1])
    for number in range(int(length_s / step + 1e-6) + 1):
        x = MARGIN_PX + number * step * pace
        layout.boxes.append(((x - 0.5, top), (x + 0.5, top + 8), palette.FAINT))
        layout.texts.append(((x, top + 22), TICK_PX, f"{number * step:g} s", palette.FAINT))


def _add_legend(layout: _Layout) -> None:
    """Show which colour is which confidence, in the corner."""
    y, x = HEIGHT_PX - 10, layout.width - MARGIN_PX - LEGEND_SHADES * LEGEND_PX
    for place in range(LEGEND_SHADES):
        left = x + place * LEGEND_PX
        color = color_of(place / (LEGEND_SHADES - 1))
        layout.boxes.append(((left, y - 4), (left + LEGEND_PX - GAP_PX, y + 4), color))
    layout.texts.append(((x - 52, y), TICK_PX, "confidence 0", palette.FAINT))
    layout.texts.append(((layout.width - MARGIN_PX + 8, y), TICK_PX, "1", palette.FAINT))


def _measure(text: str) -> float:
    return float(font(NAME_PX, text).getlength(text))


def _measure_drawing(text: str) -> float:
    return LETTER * NAME_PX * len(text)


def _paint(layout: _Layout, path: Path) -> None:
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (layout.width, HEIGHT_PX), palette.BACKGROUND)
    draw = ImageDraw.Draw(picture)
    for start, end, color in layout.boxes:
        draw.rectangle((start, end), fill=color)
    for place, size, text, color in layout.texts:
        draw.text(place, text, font=font(size, text), fill=color, anchor="mm")
    picture.save(path, format="PNG", optimize=True)


def _drawing(layout: _Layout) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width} {HEIGHT_PX}" '
        f'width="{layout.width}" height="{HEIGHT_PX}" font-family="sans-serif" '
        'text-anchor="middle" dominant-baseline="central">',
        f'<rect width="100%" height="100%" fill="{palette.hex_of(palette.BACKGROUND)}"/>',
    ]
    for (left, top), (right, bottom), color in layout.boxes:
        lines.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
            f'height="{bottom - top:.1f}" fill="{palette.hex_of(color)}"/>'
        )
    for (x, y), size, text, color in layout.texts:
        lines.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{palette.hex_of(color)}">'
            f"{escape(text)}</text>"
        )
    return "\n".join([*lines, "</svg>"]) + "\n"
