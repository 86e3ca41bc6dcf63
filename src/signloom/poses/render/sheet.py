"""PNG: a contact sheet, ten moments side by side, each with a close-up of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from signloom.poses.pose import Pose
from signloom.poses.render import palette
from signloom.poses.render.camera import active_hand, close_up, whole_figure
from signloom.poses.render.figure import draw_frames
from signloom.poses.render.hand import draw_hand
from signloom.poses.render.lettering import Caption, check_captions, font
from signloom.poses.skeleton import RIGHT_HAND

if TYPE_CHECKING:
    from PIL.Image import Image

MOMENTS = 10
COLUMNS = 5
TILE_PX = 320
CAPTION_PX = 36
GAP_PX = 10
INSET_PX = 132
INSET_SPAN = 0.72
INSET_SUPERSAMPLING = 3


def write(pose: Pose, path: Path, *, captions: Sequence[Caption] = ()) -> None:
    """Write a contact sheet of the pose."""
    draw_sheet(pose, captions=captions).save(path, format="PNG", optimize=True)


def draw_sheet(pose: Pose, *, captions: Sequence[Caption] = ()) -> Image:
    """Draw a contact sheet.

    Args:
        pose: What to draw.
        captions: What is signed when. Given captions, the middle of each is shown as far as there
            are no more of them than moments; otherwise moments are evenly spread.
    """
    from PIL import Image

    check_captions(captions)
    moments = choose_moments(pose, captions)
    columns = min(COLUMNS, len(moments))
    rows = -(-len(moments) // columns)
    width, height = TILE_PX + GAP_PX, TILE_PX + CAPTION_PX + GAP_PX
    size = (columns * width + GAP_PX, rows * height + GAP_PX)
    sheet = Image.new("RGB", size, palette.RULE)
    camera = whole_figure(pose, size=(TILE_PX, TILE_PX))
    for place, frame in enumerate(moments):
        figure = next(draw_frames(pose[frame : frame + 1], camera, supersampling=3))
        tile = _tile(pose, figure, frame=frame, text=_text_at(captions, frame / pose.fps))
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


def choose_moments(pose: Pose, captions: Sequence[Caption]) -> list[int]:
    """Give the frames that a contact sheet shows, in order and without repeats."""
    middles = [(start + end) / 2 for start, end, text in captions if text.strip()]
    if 0 < len(middles) <= MOMENTS:
        frames = [min(round(middle * pose.fps), pose.num_frames - 1) for middle in middles]
        return sorted(set(frames))
    spread = np.linspace(0, pose.num_frames - 1, min(MOMENTS, pose.num_frames))
    return [round(float(frame)) for frame in spread]


def _tile(pose: Pose, figure: Image, *, frame: int, text: str) -> Image:
    from PIL import Image, ImageDraw

    tile = Image.new("RGB", (TILE_PX, TILE_PX + CAPTION_PX), palette.BACKGROUND)
    tile.paste(figure)
    inset = _inset(pose, frame)
    if inset is not None:
        # Beside the waist, on the side of the hand that rests.
        x = TILE_PX - INSET_PX - 6 if active_hand(pose) == RIGHT_HAND else 6
        tile.paste(inset, (x, TILE_PX - INSET_PX - 6))
    draw = ImageDraw.Draw(tile)
    y = TILE_PX + CAPTION_PX / 2
    draw.text((10, y), f"{frame / pose.fps:.2f} s", font=font(17), fill=palette.FAINT, anchor="lm")
    draw.text((TILE_PX / 2, y), text, font=font(26), fill=palette.INK, anchor="mm")
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


def _text_at(captions: Sequence[Caption], time_s: float) -> str:
    current = [text for start, end, text in captions if start <= time_s < end]
    return current[0].strip() if current else ""
