"""PNG: a contact sheet, moments side by side, each with a close-up of the signing hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from signloom.poses.captions import Caption, check_captions
from signloom.poses.pose import Pose
from signloom.poses.render import palette
from signloom.poses.render.camera import active_hand, close_up, is_one_handed, whole_figure
from signloom.poses.render.figure import draw_frames
from signloom.poses.render.hand import draw_hand
from signloom.poses.render.lettering import font
from signloom.poses.skeleton import RIGHT_HAND

if TYPE_CHECKING:
    from PIL.Image import Image

Moment = tuple[int, str]
"""A frame and what is signed then."""
MOMENTS = 10
"""Moments without captions."""
MOST_MOMENTS = 40
FEW_COLUMNS, MOST_COLUMNS = 5, 8
"""Tiles side by side, up to `MOMENTS` of them and beyond."""
TILE_PX = 320
CAPTION_PX = 36
GAP_PX = 10
INSET_PX = 132
INSET_SPAN = 0.72
INSET_SUPERSAMPLING = 3


def write(pose: Pose, path: Path, *, captions: Sequence[Caption] = ()) -> None:
    """Write a contact sheet of the pose."""
    draw_sheet(pose, captions=captions).save(path, format="PNG", optimize=True)


def draw_sheet(
    pose: Pose, *, captions: Sequence[Caption] = (), columns: int | None = None
) -> Image:
    """Draw a contact sheet.

    Args:
        pose: What to draw.
        captions: What is signed when. Given captions, the middle of each is shown; of more than
            `MOST_MOMENTS`, evenly chosen ones, and the sheet says so. Without them, moments are
            evenly spread.
        columns: Most tiles side by side; by default as many as look well.
    """
    from PIL import Image, ImageDraw

    check_captions(captions)
    moments = choose_moments(pose, captions)
    most = columns or (FEW_COLUMNS if len(moments) <= MOMENTS else MOST_COLUMNS)
    rows = -(-len(moments) // most)
    columns = -(-len(moments) // rows)
    width, height = TILE_PX + GAP_PX, TILE_PX + CAPTION_PX + GAP_PX
    num_letters = len(_letters(captions))
    footer = CAPTION_PX if num_letters > len(moments) else 0
    size = (columns * width + GAP_PX, rows * height + GAP_PX + footer)
    sheet = Image.new("RGB", size, palette.RULE)
    if footer:
        where = (size[0] / 2, size[1] - (footer + GAP_PX) / 2)
        text = f"{len(moments)} of {num_letters} letters"
        ImageDraw.Draw(sheet).text(where, text, font=font(22, text), fill=palette.INK, anchor="mm")
    camera = whole_figure(pose, size=(TILE_PX, TILE_PX))
    for place, (frame, text) in enumerate(moments):
        figure = next(draw_frames(pose[frame : frame + 1], camera, supersampling=3))
        tile = _tile(pose, figure, frame=frame, text=text)
        row, column = divmod(place, columns)
        sheet.paste(tile, (GAP_PX + column * width, GAP_PX + row * height))
    return sheet


def stack_sheets(poses: Sequence[Pose]) -> Image:
    """Draw one contact sheet under the other, to compare poses of the same text."""
    from PIL import Image

    sheets = [draw_sheet(pose) for pose in poses]
    size = (max(sheet.width for sheet in sheets), sum(sheet.height for sheet in sheets))
    stacked = Image.new("RGB", size, palette.RULE)
    top = 0
    for sheet in sheets:
        stacked.paste(sheet, (0, top))
        top += sheet.height
    return stacked


def choose_moments(pose: Pose, captions: Sequence[Caption]) -> list[Moment]:
    """Give the moments that a contact sheet shows, in order."""
    letters = _letters(captions)
    if not letters:
        return [(frame, "") for frame in _spread(pose.num_frames, MOMENTS)]
    chosen = (letters[place] for place in _spread(len(letters), MOST_MOMENTS))
    return [
        (round(min((start + end) / 2 * pose.fps, pose.num_frames - 1)), text.strip())
        for start, end, text in chosen
    ]


def _letters(captions: Sequence[Caption]) -> list[Caption]:
    return [caption for caption in captions if caption[2].strip()]


def _spread(count: int, most: int) -> list[int]:
    """Give at most so many of the numbers below a count, evenly spread."""
    return [round(float(place)) for place in np.linspace(0, count - 1, min(most, count))]


def _tile(pose: Pose, figure: Image, *, frame: int, text: str) -> Image:
    from PIL import Image, ImageDraw

    tile = Image.new("RGB", (TILE_PX, TILE_PX + CAPTION_PX), palette.BACKGROUND)
    tile.paste(figure)
    # Of two hands that sign, an inset would cover the one and enlarge the other.
    inset = _inset(pose, frame) if is_one_handed(pose) else None
    if inset is not None:
        # Beside the waist, on the side of the hand that rests.
        x = TILE_PX - INSET_PX - 6 if active_hand(pose) == RIGHT_HAND else 6
        tile.paste(inset, (x, TILE_PX - INSET_PX - 6))
    draw = ImageDraw.Draw(tile)
    y = TILE_PX + CAPTION_PX / 2
    draw.text((10, y), f"{frame / pose.fps:.2f} s", font=font(17), fill=palette.FAINT, anchor="lm")
    draw.text((TILE_PX / 2, y), text, font=font(26, text), fill=palette.INK, anchor="mm")
    return tile


def _inset(pose: Pose, frame: int) -> Image | None:
    """Draw the active hand large, in a frame of its own."""
    from PIL import Image, ImageDraw

    camera = close_up(pose, frame=frame, size=INSET_PX, span=INSET_SPAN)
    if camera is None:
        return None
    hand = active_hand(pose)
    large = camera.enlarged(INSET_SUPERSAMPLING)
    canvas = Image.new("RGB", large.size, palette.PAPER)
    draw = ImageDraw.Draw(canvas)
    seen = pose.confidence[frame, hand] > 0
    draw_hand(draw, large.project(pose.frames[frame, hand]), scale=large.scale, seen=seen)
    edge = INSET_SUPERSAMPLING
    draw.rectangle((0, 0, large.size[0] - 1, large.size[1] - 1), outline=palette.FAINT, width=edge)
    return canvas.reduce(INSET_SUPERSAMPLING)
