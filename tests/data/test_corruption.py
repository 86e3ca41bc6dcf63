from __future__ import annotations

import numpy as np
import pytest

from signloom.data.corruption import blur, choose_spoiled, drop_joints, misplace_hands
from signloom.poses.skeleton import LEFT_HAND, LEFT_WRIST, RIGHT_HAND, RIGHT_WRIST

ARMS = ((RIGHT_WRIST, RIGHT_HAND), (LEFT_WRIST, LEFT_HAND))


@pytest.mark.parametrize(("share", "count"), [(0.0, 0), (0.1, 7), (0.3, 22), (1.0, 73)])
def test_a_share_of_the_frames_is_chosen_exactly(share: float, count: int) -> None:
    spoiled = choose_spoiled(73, np.random.default_rng(0), share=share)
    assert (spoiled.shape, int(spoiled.sum())) == ((73,), count)


def test_blurred_pictures_lose_their_detail_and_others_stay() -> None:
    film = np.random.default_rng(0).integers(256, size=(3, 40, 30, 3), dtype=np.uint8)
    before = film.copy()
    blurred = blur(film, np.array([False, True, False]))
    np.testing.assert_array_equal(film, before)
    np.testing.assert_array_equal(blurred[[0, 2]], film[[0, 2]])
    assert blurred[1].std() < 0.3 * film[1].std()
    assert blurred[1].mean() == pytest.approx(film[1].mean(), abs=3)


def test_a_larger_picture_is_blurred_as_much() -> None:
    small = np.zeros((1, 20, 20, 3), np.uint8)
    small[:, 10:] = 255
    large = small.repeat(4, axis=1).repeat(4, axis=2)
    spoiled = np.array([True])
    apart = blur(large, spoiled)[:, 2::4, 2::4].astype(int) - blur(small, spoiled)
    assert np.abs(apart).max() < 40


def test_misplaced_hands_move_as_a_whole_within_reach_and_nothing_else_does() -> None:
    frames = np.random.default_rng(1).normal(size=(400, 50, 3)).astype(np.float32)
    spoiled = choose_spoiled(400, np.random.default_rng(0), share=0.5)
    moved = misplace_hands(frames, spoiled, np.random.default_rng(2), jitter=0.0) - frames
    assert not moved[~spoiled].any()
    hands = [joint for wrist, hand in ARMS for joint in (wrist, *range(hand.start, hand.stop))]
    assert not np.delete(moved[spoiled], hands, axis=1).any()
    for wrist, hand in ARMS:
        shift = moved[spoiled][:, wrist]
        np.testing.assert_allclose(moved[spoiled][:, hand], shift[:, None].repeat(21, 1), atol=1e-6)
        lengths = np.linalg.norm(shift, axis=-1)
        assert 0.4 < lengths.max() <= 0.5 + 1e-6
        assert np.abs(shift.mean(axis=0)).max() < 0.06
        assert not shift[:, 2].any()
    assert (moved[spoiled][:, RIGHT_WRIST] != moved[spoiled][:, LEFT_WRIST]).any(axis=-1).all()


def test_joints_of_misplaced_hands_are_scattered() -> None:
    frames = np.zeros((300, 50, 3), np.float32)
    rng = np.random.default_rng(2)
    moved = misplace_hands(frames, np.ones(300, np.bool_), rng, reach=0.0, jitter=0.1)
    assert moved[:, RIGHT_HAND].std() == pytest.approx(0.1, rel=0.05)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_a_share_of_the_joints_is_dropped_exactly(share: float) -> None:
    confidence = np.full((11, 50), 0.7, np.float32)
    dropped = drop_joints(confidence, np.random.default_rng(0), share=share)
    assert (dropped == 0).sum() == round(share * 550)
    assert (confidence == np.float32(0.7)).all()


def test_damage_follows_from_the_generator_alone() -> None:
    frames = np.zeros((7, 50, 3), np.float32)
    spoiled = np.ones(7, np.bool_)
    first, second = (misplace_hands(frames, spoiled, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
