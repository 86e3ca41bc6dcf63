"""What is signed, written under the figure: the word so far, its current letter in front."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

from signloom.errors import FormatError
from signloom.poses.render import palette

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont, ImageFont

Caption = tuple[float, float, str]


@lru_cache(maxsize=32)
def font(size: int) -> FreeTypeFont | ImageFont:
    """Give Pillow's own font, so that pictures look the same on every machine."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


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
    texts = [text for _, _, text in captions]
    first = current
    while first > 0 and texts[first - 1].strip():
        first -= 1
    if not texts[current].strip():
        return "".join(texts[first:current]), "", ""
    last = current + 1
    while last < len(texts) and texts[last].strip():
        last += 1
    until = current if time_s < captions[current][1] else current + 1
    return (
        "".join(texts[first:until]),
        "".join(texts[until : current + 1]),
        "".join(texts[current + 1 : last]),
    )


def check_captions(captions: Sequence[Caption]) -> None:
    """Refuse captions that are out of order.

    Raises:
        FormatError: A caption ends before it starts or starts before the one before it.
    """
    before = 0.0
    for start, end, text in captions:
        if not before <= start <= end:
            raise FormatError(
                f"Captions must be in order and end after they start, but `{text}` runs from "
                f"{start:g} s to {end:g} s after one that starts at {before:g} s."
            )
        before = start


def draw_word(picture: Image, captions: Sequence[Caption], *, time_s: float, height: int) -> None:
    """Write the word of a time into the lowest pixels of a picture."""
    from PIL import ImageDraw

    parts = word_at(captions, time_s)
    if not any(parts):
        return
    draw = ImageDraw.Draw(picture)
    size = round(0.62 * height)
    face = font(size)
    width = sum(draw.textlength(part, font=face) for part in parts)
    if width > 0.94 * picture.width:
        face = font(max(8, int(size * 0.94 * picture.width / width)))
        width = sum(draw.textlength(part, font=face) for part in parts)
    x = (picture.width - width) / 2
    y = picture.height - height / 2
    colors = (palette.INK, palette.ACCENT, palette.FAINT)
    for part, color in zip(parts, colors, strict=True):
        draw.text((x, y), part, font=face, fill=color, anchor="lm")
        x += draw.textlength(part, font=face)
