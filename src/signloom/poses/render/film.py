"""The pictures of a film, one after the other and never all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from signloom.errors import FormatError
from signloom.poses.captions import Caption, check_captions
from signloom.poses.pose import Pose
from signloom.poses.render import palette
from signloom.poses.render.camera import whole_figure
from signloom.poses.render.figure import draw_frames
from signloom.poses.render.lettering import draw_word

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_FRAMES = 20_000
"""Most frames that a film may have: 13 minutes at 25 fps."""

STRIP = 0.12
"""Height of the captions' strip as a part of the figure's."""


def film_size(size: int, captions: Sequence[Caption]) -> tuple[int, int]:
    """Give width and height, both even, of a film whose figure has a size in pixels."""
    strip = round(size * STRIP / 2) * 2 if captions else 0
    return size, size + strip


def film(pose: Pose, *, size: int, captions: Sequence[Caption] = ()) -> Iterator[Image]:
    """Draw one picture a frame, each when it is asked for.

    Args:
        pose: What to draw.
        size: Width and height of the figure in pixels, even.
        captions: What is signed when; written in a strip under the figure.

    Raises:
        FormatError: There are more than `MAX_FRAMES` frames, or captions out of order.
    """
    if pose.num_frames > MAX_FRAMES:
        raise FormatError(
            f"At most {MAX_FRAMES} frames can be drawn, but there are {pose.num_frames}. "
            "Draw parts of it."
        )
    check_captions(captions)
    return _pictures(pose, size=size, captions=captions)


def _pictures(pose: Pose, *, size: int, captions: Sequence[Caption]) -> Iterator[Image]:
    from PIL import Image

    width, height = film_size(size, captions)
    camera = whole_figure(pose, size=(size, size))
    for number, figure in enumerate(draw_frames(pose, camera)):
        if not captions:
            yield figure
            continue
        picture = Image.new("RGB", (width, height), palette.BACKGROUND)
        picture.paste(figure)
        draw_word(picture, captions, time_s=number / pose.fps, height=height - size)
        yield picture
