"""The colours of the figure: a quiet body, and hands whose fingers can be told apart.

The fingers' shades are taken from the Okabe-Ito palette, which colour-blind people can tell apart.
"""

from __future__ import annotations

Color = tuple[int, int, int]

BACKGROUND: Color = (247, 246, 243)
PAPER: Color = (255, 255, 255)
INK: Color = (43, 48, 64)
FAINT: Color = (150, 155, 168)
ACCENT: Color = (213, 94, 0)
RULE: Color = (222, 221, 217)
SHIRT: Color = (152, 167, 188)
SHIRT_EDGE: Color = (112, 128, 153)
SLEEVE: Color = (163, 178, 198)
CUFF: Color = (180, 193, 210)
SKIN: Color = (232, 222, 210)
SKIN_EDGE: Color = (190, 176, 160)
PALM: Color = (250, 234, 214)
FINGERS: tuple[Color, ...] = (
    (240, 176, 40),
    (224, 98, 24),
    (214, 130, 178),
    (86, 180, 233),
    (24, 158, 118),
)
"""Thumb, index, middle, ring and little finger."""


def shades() -> tuple[Color, ...]:
    """Give every colour of a picture and the blends along its smoothed edges, for palettes."""
    bodies = (BACKGROUND, SHIRT, SLEEVE, CUFF, SKIN)
    pairs = (
        *((INK, other) for other in (*bodies, PALM, *FINGERS)),
        *((SHIRT_EDGE, other) for other in bodies),
        *((SKIN_EDGE, other) for other in (BACKGROUND, SHIRT, SKIN)),
        *((other, BACKGROUND) for other in (FAINT, ACCENT)),
    )
    plain = (*bodies, INK, FAINT, ACCENT, RULE, SHIRT_EDGE, SKIN_EDGE, PALM, *FINGERS)
    return (*plain, *(_blend(pair, part) for pair in pairs for part in (1, 2, 3)))


def hex_of(color: Color) -> str:
    """Write a colour as drawings do.

    Example:
        >>> hex_of((255, 0, 10))
        '#ff000a'
    """
    return "#" + "".join(f"{value:02x}" for value in color)


def _blend(pair: tuple[Color, Color], quarters: int) -> Color:
    red, green, blue = (
        round((quarters * one + (4 - quarters) * other) / 4)
        for one, other in zip(*pair, strict=True)
    )
    return red, green, blue
