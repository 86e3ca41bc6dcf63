from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from signloom.poses.pose import Pose
from signloom.poses.render.camera import is_one_handed
from signloom.poses.render.sheet import choose_moments, draw_sheet, stack_sheets


@pytest.mark.parametrize(
    ("frames", "size"), [(1, (340, 376)), (3, (1000, 376)), (113, (1660, 742))]
)
def test_a_sheet_has_a_tile_for_each_moment(make_pose, tmp_path, frames, size) -> None:
    make_pose(frames).save(tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == size
        assert image.format == "PNG"


def test_moments_spread_from_the_first_frame_to_the_last(make_pose) -> None:
    moments = choose_moments(make_pose(113), ())
    frames = [frame for frame, _ in moments]
    assert len(frames) == 10
    assert (frames[0], frames[-1]) == (0, 112)
    assert set(np.diff(frames)) <= {12, 13}
    assert choose_moments(make_pose(3), ()) == [(0, ""), (1, ""), (2, "")]


def test_with_captions_the_middle_of_each_is_shown(make_pose) -> None:
    captions = ((0.0, 0.4, "n"), (0.4, 0.8, " "), (0.8, 1.2, "y"), (9.0, 9.5, "z"))
    assert choose_moments(make_pose(37), captions) == [(5, "n"), (25, "y"), (36, "z")]


def captions_of(text: str) -> tuple[tuple[float, float, str], ...]:
    return tuple((place / 10, place / 10 + 0.1, letter) for place, letter in enumerate(text))


def test_a_sheet_of_a_phrase_has_a_tile_for_every_letter(make_pose) -> None:
    captions = captions_of("hello new york")
    moments = choose_moments(make_pose(37), captions)
    assert "".join(text for _, text in moments) == "hellonewyork"
    assert draw_sheet(make_pose(37), captions=captions).size == (6 * 330 + 10, 2 * 366 + 10)


def test_of_many_letters_forty_are_shown_and_the_sheet_says_so(make_pose) -> None:
    captions = captions_of("ab " * 125)
    moments = choose_moments(make_pose(941), captions)
    assert len(moments) == 40
    starts = [start for start, _, text in captions if text != " "]
    assert {frame for frame, _ in moments} <= {round((start + 0.05) * 25) for start in starts}
    sheet = np.asarray(draw_sheet(make_pose(941), captions=captions))
    assert sheet.shape == (5 * 366 + 10 + 36, 8 * 330 + 10, 3)
    assert (sheet[-40:] < 90).any()


def test_the_close_up_is_on_the_side_of_the_resting_hand(make_pose) -> None:
    pose = make_pose(1)
    right = np.asarray(draw_sheet(pose))
    white = (right == 255).all(axis=-1)
    assert white[200:320, 200:320].mean() > 0.3
    mirrored = pose.frames.copy()
    order = [0, 1, 5, 6, 7, 2, 3, 4, *range(29, 50), *range(8, 29)]
    mirrored = mirrored[:, order] * np.array([-1, 1, 1], np.float32)
    left = np.asarray(draw_sheet(pose.of(mirrored)))
    assert (left == 255).all(axis=-1)[200:320, 16:130].mean() > 0.3


def test_stacked_sheets_stand_one_under_the_other(make_pose) -> None:
    stacked = stack_sheets([make_pose(3), make_pose(5)])
    assert stacked.size == (1660, 2 * 376)


def test_a_moment_says_when_it_is_and_what_is_signed(make_pose) -> None:
    plain = np.asarray(draw_sheet(make_pose(1)))
    lettered = np.asarray(draw_sheet(make_pose(1), captions=((0.0, 0.04, "w"),)))
    assert (plain[330:366, 15:60] < 200).any()
    assert (lettered[330:366, 150:190] < 90).any()
    assert not (plain[330:366, 150:190] < 90).any()


def test_a_tile_whose_hand_is_missing_has_no_close_up(make_pose) -> None:
    pose = make_pose(1)
    confidence = pose.confidence.copy()
    confidence[:, 8:] = 0
    assert not (np.asarray(draw_sheet(Pose(pose.frames, confidence))) == 255).all(axis=-1).any()


def test_a_hand_at_rest_has_no_close_up(make_pose) -> None:
    pose = make_pose(1)
    frames = pose.frames.copy()
    frames[:, 7, 1] += 1.4
    frames[:, 8:29, 1] += 1.4
    assert not (np.asarray(draw_sheet(Pose.of(frames))) == 255).all(axis=-1).any()


def test_an_inset_is_for_one_hand_that_signs(make_pose) -> None:
    pose = make_pose(5)
    frames = pose.frames.copy()
    frames[:, 4, 1], frames[:, 7, 1] = 0.6, 0.5
    assert not is_one_handed(Pose.of(frames))
    frames[:, 4, 1] = 1.5
    assert is_one_handed(Pose.of(frames))
