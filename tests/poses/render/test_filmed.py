from __future__ import annotations

import time

import numpy as np
import pytest

from signloom.errors import FormatError
from signloom.poses.mirror import mirror
from signloom.poses.render import palette
from signloom.poses.render.filmed import LEFT_FINGERS, render_pictures
from signloom.poses.skeleton import LEFT_HAND, RIGHT_HAND, RIGHT_WRIST


def differing(one: np.ndarray, other: np.ndarray) -> int:
    return int((one != other).any(axis=-1).sum())


def test_pictures_are_square_and_one_a_frame(make_pose) -> None:
    for frames, size in ((1, 48), (3, 65), (2, 128)):
        pictures = render_pictures(make_pose(frames).frames, size=size)
        assert (pictures.dtype, pictures.shape) == (np.uint8, (frames, size, size, 3))


def test_the_camera_does_not_follow_the_signer(make_pose) -> None:
    frames = make_pose(2).frames.copy()
    frames[1] += np.float32([0.25, 0, 0])
    still, moved = render_pictures(frames, size=96)
    shirt = np.array(palette.SHIRT)
    columns = [np.flatnonzero((one == shirt).all(axis=-1).any(axis=0)) for one in (still, moved)]
    assert columns[1].max() - columns[0].max() == 8


def test_hanging_hands_are_in_the_picture(make_pose) -> None:
    frames = make_pose(1).frames
    assert frames[0, LEFT_HAND, 1].max() > 1.9 - 0.2
    gone = np.ones((1, 50), np.float32)
    gone[:, LEFT_HAND] = 0
    whole = render_pictures(frames, size=64)
    assert differing(whole, render_pictures(frames, size=64, confidence=gone)) > 20


def test_hands_have_colours_of_their_own(make_pose) -> None:
    large = render_pictures(make_pose(1).frames, size=256)[0]
    for shade in (*palette.FINGERS, *LEFT_FINGERS):
        assert (large == np.array(shade)).all(axis=-1).any()
    assert not set(palette.FINGERS) & set(LEFT_FINGERS)


def test_a_left_handed_signer_is_no_mirror_image_of_pixels(make_pose) -> None:
    frames = make_pose(1).frames
    flipped = render_pictures(frames, size=64)[:, :, ::-1]
    assert differing(flipped, render_pictures(mirror(frames), size=64)) > 20


def test_what_was_not_seen_is_not_drawn(make_pose) -> None:
    frames = make_pose(1).frames
    nothing = render_pictures(frames, size=64, confidence=np.zeros((1, 50), np.float32))
    assert (nothing == np.array(palette.BACKGROUND)).all()
    without = np.ones((1, 50), np.float32)
    without[:, RIGHT_HAND] = 0
    assert differing(
        render_pictures(frames, size=64), render_pictures(frames, size=64, confidence=without)
    )


def test_the_nearer_arm_covers_the_farther(make_pose) -> None:
    frames = make_pose(1).frames.copy()
    frames[0, 2:5], frames[0, LEFT_HAND] = frames[0, 5:8], frames[0, RIGHT_HAND]
    for depth, shades in ((-0.4, palette.FINGERS), (0.4, LEFT_FINGERS)):
        moved = frames.copy()
        moved[0, RIGHT_WRIST, 2] = depth
        picture = render_pictures(moved, size=256)[0]
        assert (picture == np.array(shades[2])).all(axis=-1).any()


def test_edges_are_smooth(make_pose) -> None:
    picture = render_pictures(make_pose(1).frames, size=64)[0]
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100


def test_a_signer_far_out_of_the_picture_is_no_mistake() -> None:
    frames = np.full((2, 50, 3), 9e3, np.float32)
    assert (render_pictures(frames, size=48) == np.array(palette.BACKGROUND)).all()


@pytest.mark.parametrize("size", [0, 15, 513])
def test_sizes_out_of_range_are_refused(make_pose, size) -> None:
    with pytest.raises(FormatError, match="must be from 16 to 512 pixels"):
        render_pictures(make_pose(1).frames, size=size)


def test_memory_is_counted_before_it_is_taken() -> None:
    frames = np.broadcast_to(np.float32(0), (4000, 50, 3))
    with pytest.raises(FormatError, match="Draw fewer frames"):
        render_pictures(frames, size=512)


def test_a_frame_takes_a_few_milliseconds_at_most(make_pose) -> None:
    frames = make_pose(20).frames
    render_pictures(frames[:1], size=64)
    start = time.process_time()
    render_pictures(frames, size=64)
    assert time.process_time() - start < 20 * 0.006
