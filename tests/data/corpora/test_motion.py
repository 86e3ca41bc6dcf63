from __future__ import annotations

import numpy as np
import pytest

from signloom.data.corpora.motion import blend, jitter, smooth_121


def random_arms(frames: int, arms: int) -> np.ndarray:
    values = np.random.default_rng(7).normal(size=(frames, arms, 23, 3)).astype(np.float32)
    values[:, :, 2] = 0
    return values


def bone_lengths(arms: np.ndarray) -> np.ndarray:
    fingers = arms[:, :, 3:].reshape(*arms.shape[:2], 5, 4, 3)
    root = np.zeros_like(fingers[..., :1, :])
    return np.linalg.norm(np.diff(np.concatenate([root, fingers], axis=3), axis=3), axis=-1)


@pytest.mark.parametrize("arms", [1, 2])
def test_a_blend_begins_and_ends_where_it_must(arms: int) -> None:
    starts, ends = random_arms(5, arms), random_arms(5, arms)[::-1]
    for way, expected in ((0.0, starts), (1.0, ends)):
        blended = blend(starts, ends, np.full(5, way, dtype=np.float32))
        np.testing.assert_allclose(blended, expected, atol=2e-5)


def test_bones_of_a_hand_that_turns_over_keep_their_length() -> None:
    hand = random_arms(1, 1)
    turned = hand * np.array([1, -1, -1], dtype=np.float32)
    way = np.linspace(0, 1, 11, dtype=np.float32)
    blended = blend(np.repeat(hand, 11, axis=0), np.repeat(turned, 11, axis=0), way)
    expected = np.repeat(bone_lengths(hand), 11, axis=0)
    np.testing.assert_allclose(bone_lengths(blended), expected, rtol=1e-3)


def test_a_hand_that_turns_over_passes_on_the_side_of_the_camera() -> None:
    up = np.zeros((1, 1, 23, 3), dtype=np.float32)
    up[0, 0, 1, 1] = -1
    up[0, 0, 3:, 1] = -np.tile(np.arange(1, 5), 5)
    middle = blend(up, -up, np.array([0.5], dtype=np.float32))
    assert (middle[0, 0, 3:, 2] < 0).all()


def test_a_forearm_that_turns_over_swings_inwards_on_both_sides() -> None:
    down = random_arms(1, 2)
    down[:, :, :2] = [[0, 0, 0], [0, 1, 0]]
    up = down.copy()
    up[:, :, 1, 1] = -1
    wrists = blend(down, up, np.array([0.5], dtype=np.float32))[0, :, 1, 0]
    np.testing.assert_allclose(wrists, [0.3, -0.3], atol=1e-6)


def test_the_filter_keeps_both_ends_and_a_straight_line() -> None:
    line = np.linspace(0, 1, 7, dtype=np.float32).reshape(7, 1, 1, 1) * np.ones((1, 1, 23, 3))
    np.testing.assert_allclose(smooth_121(line.astype(np.float32)), line, atol=1e-6)


def test_jitter_is_small_and_leaves_its_input_alone() -> None:
    arms = random_arms(5, 1).clip(-1, 1)
    before = arms.copy()
    moved = jitter(arms, np.random.default_rng(0))
    np.testing.assert_array_equal(arms, before)
    assert 0 < np.abs(moved - arms).max() < 0.2
