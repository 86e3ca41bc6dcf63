from __future__ import annotations

import numpy as np
import pytest

from signloom.poses.pose import Pose
from signloom.poses.render import palette
from signloom.poses.render.camera import BOTTOM, REACH, active_hand, close_up, whole_figure
from signloom.poses.render.figure import draw_frames
from signloom.poses.render.lettering import word_at
from signloom.poses.skeleton import LEFT_HAND, RIGHT_HAND

SPANS = ((0.0, 0.4, "n"), (0.4, 0.8, "e"), (1.0, 1.2, "w"), (1.2, 1.6, " "), (1.6, 2.0, "y"))


def has_color(picture: np.ndarray, color: palette.Color) -> bool:
    return bool((picture == np.array(color)).all(axis=-1).any())


def test_each_finger_has_its_own_shade(make_pose) -> None:
    pose = make_pose(1)
    picture = np.asarray(next(draw_frames(pose, whole_figure(pose, size=(320, 320)))))
    assert all(has_color(picture, color) for color in (*palette.FINGERS, palette.PALM))


def test_the_nearer_finger_covers_the_farther(make_pose) -> None:
    frames = make_pose(1).frames.copy()
    frames[0, 8 + 9 : 8 + 13, :2] = frames[0, 8 + 5 : 8 + 9, :2]
    index, middle = palette.FINGERS[1], palette.FINGERS[2]
    for nearer, farther, place in ((index, middle, 5), (middle, index, 9)):
        moved = frames.copy()
        moved[0, 8 + place : 8 + place + 4, 2] = -0.3
        pose = Pose.of(moved)
        camera = close_up(pose, frame=0, size=320, span=0.8)
        assert camera is not None
        picture = np.asarray(next(draw_frames(pose, camera)))
        assert has_color(picture, nearer)
        assert not has_color(picture, farther)


def test_the_camera_steps_back_for_a_wide_reach_but_not_forever(make_pose) -> None:
    pose = make_pose(5)
    near = whole_figure(pose, size=(320, 320))
    for reach in (2.0, 9e3):
        frames = pose.frames.copy()
        frames[:, RIGHT_HAND, 0] -= reach
        far = whole_figure(Pose.of(frames), size=(320, 320))
        assert 320 / 8.01 < far.scale < near.scale <= 320 / (2 * REACH)


def test_the_head_is_never_cut_off(make_pose) -> None:
    pose = make_pose(3)
    camera = whole_figure(pose, size=(320, 200))
    assert camera.project(np.array([0, -1.0, 0], np.float32))[1] >= 0
    assert camera.project(np.array([0, BOTTOM, 0], np.float32))[1] <= 200.001


def test_the_active_hand_is_the_higher_one(make_pose) -> None:
    pose = make_pose(3)
    assert active_hand(pose) == RIGHT_HAND
    confidence = pose.confidence.copy()
    confidence[:, RIGHT_HAND] = 0
    assert active_hand(Pose(pose.frames, confidence)) == LEFT_HAND
    confidence[:] = 0
    assert active_hand(Pose(pose.frames, confidence)) == RIGHT_HAND
    assert close_up(Pose(pose.frames, confidence), frame=0, size=99, span=1.0) is None


@pytest.mark.parametrize(
    ("time_s", "parts"),
    [
        (0.0, ("", "n", "ew")),
        (0.5, ("n", "e", "w")),
        (0.9, ("ne", "", "w")),
        (1.1, ("ne", "w", "")),
        (1.3, ("new", "", "")),
        (1.7, ("", "y", "")),
        (9.0, ("y", "", "")),
    ],
)
def test_the_word_shows_what_was_what_is_and_what_will_be(time_s, parts) -> None:
    assert word_at(SPANS, time_s) == parts


def test_before_the_first_caption_nothing_is_written() -> None:
    assert word_at(((0.5, 0.9, "a"),), 0.2) == ("", "", "")
    assert word_at((), 0.2) == ("", "", "")


def test_a_palette_of_an_animation_holds_every_plain_colour() -> None:
    assert len(palette.shades()) <= 128
    assert set(palette.FINGERS) <= set(palette.shades())
