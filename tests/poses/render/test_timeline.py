"""A timeline has a bar where a token is signed, in the colour of its confidence."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from signloom.errors import FormatError
from signloom.poses.render import palette
from signloom.poses.render.timeline import (
    BAR_BOTTOM,
    BAR_TOP,
    MARGIN_PX,
    MOST_PX,
    PX_PER_S,
    SURE,
    UNSURE,
    Bar,
    color_of,
    write_timeline,
)

BARS = (Bar(1.0, 1.5, "MORGEN", 1.0), Bar(3.0, 3.25, "REGEN", 0.0))
SVG = "{http://www.w3.org/2000/svg}"


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture)


def names(path: Path) -> list[str]:
    texts = ElementTree.parse(path).getroot().findall(f"{SVG}text")
    return [text.text or "" for text in texts if text.get("fill") == palette.hex_of(palette.INK)]


def test_bars_stand_at_their_times_in_the_colours_of_their_confidences(tmp_path: Path) -> None:
    write_timeline(BARS, tmp_path / "x.png", duration_s=6.0)
    picture = pixels(tmp_path / "x.png")
    assert picture.shape[1] == 6 * PX_PER_S + 2 * MARGIN_PX
    row = picture[(BAR_TOP + BAR_BOTTOM) // 2]
    for bar, color in zip(BARS, (SURE, UNSURE), strict=True):
        there = np.flatnonzero((row == color).all(axis=1))
        assert there[0] == pytest.approx(MARGIN_PX + bar.start_s * PX_PER_S, abs=1)
        assert there[-1] == pytest.approx(MARGIN_PX + bar.end_s * PX_PER_S, abs=2)
    assert (picture[BAR_TOP - 30 : BAR_TOP] < 90).any()


def test_a_drawing_says_the_names_and_is_safe_from_them(tmp_path: Path) -> None:
    bars = (Bar(0.5, 0.7, "<b>&", 0.5), Bar(2.5, 2.5, "ПРИВЕТ", 0.5))
    write_timeline(bars, tmp_path / "x.svg", duration_s=4.0)
    assert names(tmp_path / "x.svg") == ["<b>&", "ПРИВЕТ"]
    boxes = ElementTree.parse(tmp_path / "x.svg").getroot().findall(f"{SVG}rect")
    assert sum(box.get("fill") == palette.hex_of(color_of(0.5)) for box in boxes) == 3


def test_a_name_that_has_no_room_is_cut_or_left_out(tmp_path: Path) -> None:
    close = (Bar(1.0, 1.1, "REGENSCHAUER", 1.0), Bar(1.6, 1.7, "A", 1.0), Bar(1.62, 1.72, "B", 1.0))
    write_timeline(close, tmp_path / "x.svg", duration_s=9.0)
    first, second, third = names(tmp_path / "x.svg")
    assert first.startswith("REG")
    assert first.endswith("…")
    assert (second, third) == ("", "")


def test_a_long_recording_is_drawn_no_wider_than_can_be_shown(tmp_path: Path) -> None:
    bars = [Bar(place / 2, place / 2 + 0.1, "a", 0.5) for place in range(700)]
    write_timeline(bars, tmp_path / "x.svg", duration_s=3600.0)
    root = ElementTree.parse(tmp_path / "x.svg").getroot()
    assert root.get("width") == str(MOST_PX + 2 * MARGIN_PX)
    assert len(root.findall(f"{SVG}text")) > 700


@pytest.mark.parametrize("duration_s", [0.0, 0.04, 3.0])
def test_a_recording_in_which_nothing_is_read_has_an_axis(
    tmp_path: Path, duration_s: float
) -> None:
    write_timeline([], tmp_path / "x.png", duration_s=duration_s)
    write_timeline([], tmp_path / "x.svg", duration_s=duration_s)
    assert names(tmp_path / "x.svg") == []


@pytest.mark.parametrize(
    ("name", "bars", "message"),
    [
        ("x.pdf", BARS, "must end in .png or .svg"),
        ("no/x.png", BARS, "does not exist"),
        ("x.png", BARS[::-1], "must be in order"),
        ("x.svg", [Bar(float("nan"), 1.0, "a", 1.0)], "must be in order"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_leaves_nothing(
    tmp_path: Path, name: str, bars: list[Bar], message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        write_timeline(bars, tmp_path / name, duration_s=6.0)
    assert list(tmp_path.iterdir()) == []
