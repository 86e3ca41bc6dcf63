"""What is signed, written under the figure: the word so far, its current letter in front."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from importlib import resources
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from signloom.poses.captions import Caption
from signloom.poses.render import palette

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont, ImageFont

ELLIPSIS = "…"
FONT = "fonts/DejaVuSans-subset.ttf"
MOST_LETTERS = 100
"""More than fit beside the current letter in any picture."""


@lru_cache(maxsize=32)
def _font(size: int, *, is_ascii: bool) -> FreeTypeFont | ImageFont:
    from PIL import ImageFont

    if is_ascii:
        return ImageFont.load_default(size)
    return ImageFont.truetype(str(resources.files("signloom.poses.render") / FONT), size)


def font(size: int, text: str = "") -> FreeTypeFont | ImageFont:
    """Give a font that has the letters of a text; pictures look the same on every machine.

    It is Pillow's own, which has ASCII alone, or DejaVu Sans, cut down to the letters of Europe
    and to Arabic.
    """
    return _font(size, is_ascii=text.isascii())


def word_at(captions: Sequence[Caption], time_s: float) -> tuple[str, str, str]:
    """Split the word that is signed at a time into what was, what is and what will be.

    A caption of white space ends a word. Between captions nothing is current.

    Example:
        >>> spans = [(0.0, 0.4, "h"), (0.4, 0.8, "i"), (0.8, 1.0, " "), (1.0, 1.4, "a")]
        >>> word_at(spans, 0.5)
        ('h', 'i', '')
        >>> word_at(spans, 1.1)
        ('', 'a', '')
    """
    current = bisect_right(captions, time_s + 1e-6, key=itemgetter(0)) - 1
    if current < 0:
        return "", "", ""
    first = current
    while first > 0 and captions[first - 1][2].strip():
        first -= 1
    last = current
    while last < len(captions) and captions[last][2].strip():
        last += 1
    until = current if time_s < captions[current][1] else current + 1
    edges = (first, min(until, last), min(current + 1, last), last)
    was, now, then = (
        "".join(text for _, _, text in captions[start:end]) for start, end in pairwise(edges)
    )
    return was, now, then


def fit(
    parts: tuple[str, str, str], *, measure: Callable[[str], float], width: float
) -> tuple[str, str, str]:
    """Cut what is farthest from the current letter until the rest is no wider than a width.

    An ellipsis stands for what was cut.

    Example:
        >>> fit(("abcdef", "g", "hijklm"), measure=len, width=7.0)
        ('…ef', 'g', 'hi…')
    """
    if sum(map(measure, parts)) <= width:
        return parts
    was, now, then = parts[0][-MOST_LETTERS:], parts[1][:MOST_LETTERS], parts[2][:MOST_LETTERS]
    while was or now or then:
        left = was if was == parts[0] else ELLIPSIS + was
        right = then if then == parts[2] else then + ELLIPSIS
        if sum(map(measure, (left, now, right))) <= width:
            return left, now, right
        if not was and not then:
            now = now[:-1]
        elif len(was) > len(then):
            was = was[1:]
        else:
            then = then[:-1]
    return "", "", ""


def draw_word(picture: Image, captions: Sequence[Caption], *, time_s: float, height: int) -> None:
    """Write the word of a time into the lowest pixels of a picture, all words in one size.

    Of a word too long for the picture, the part around the current letter is written.
    """
    from PIL import ImageDraw

    draw = ImageDraw.Draw(picture)
    word = word_at(captions, time_s)
    lettering = font(round(0.62 * height), "".join(word))
    measure = partial(draw.textlength, font=lettering)
    parts = fit(word, measure=measure, width=0.94 * picture.width)
    x = (picture.width - sum(map(measure, parts))) / 2
    y = picture.height - height / 2
    colors = (palette.INK, palette.ACCENT, palette.FAINT)
    for part, color in zip(parts, colors, strict=True):
        draw.text((x, y), part, font=lettering, fill=color, anchor="lm")
        x += measure(part)
