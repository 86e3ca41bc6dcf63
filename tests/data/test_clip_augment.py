"""Variation of training clips: joints, confidences, spans and pictures stay together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from signloom.data.clip_augment import AugmentConfig, augment, cut_pictures
from signloom.data.example import Example, Span
from signloom.errors import ConfigError
from signloom.poses.mirror import SWAPPED, mirror
from signloom.poses.skeleton import LEFT_WRIST, RIGHT_WRIST
from tests.data.small_corpus import moving_frames

NOTHING = AugmentConfig(rescale=0.0, flip=0.0)


def clip(count: int = 23) -> Example:
    """Number the frames in every array; the picture is darker on its left."""
    frames = moving_frames(count)
    frames[:, 0, 0] = np.arange(count)
    confidence = np.random.default_rng(1).random((count, 50)).astype(np.float32) / 2 + 0.5
    film = np.zeros((count, 4, 6, 3), np.uint8)
    film[..., 0] = np.arange(count)[:, None, None]
    film[..., 1] = np.arange(6)
    return Example(
        *("clip", "a b", ("a", "b"), frames, (Span(3, 9), Span(12, 20))),
        confidence=confidence,
        pictures=lambda: film,
    )


def vary(example: Example, seed: int = 0, *, least: int = 1, **values) -> Example:
    config = replace(NOTHING, **values)
    return augment(example, np.random.default_rng(seed), config, least=least)


def test_without_variation_nothing_changes() -> None:
    one, same = clip(), vary(clip())
    np.testing.assert_array_equal(same.frames, one.frames)
    np.testing.assert_array_equal(same.confidence, one.confidence)
    np.testing.assert_array_equal(same.pictures(), one.pictures())
    assert same.spans == one.spans


@pytest.mark.parametrize("dropped", [0.0, 0.5])
def test_joints_pictures_and_spans_follow_the_frames_that_are_taken(dropped: float) -> None:
    one = clip()
    lengths = set()
    for seed in range(20):
        varied = vary(one, seed, rescale=0.4, dropped=dropped)
        lengths.add(varied.num_frames)
        numbers = varied.frames[:, 0, 0].astype(int)
        assert (np.diff(numbers) >= 0).all()
        np.testing.assert_array_equal(varied.confidence, one.confidence[numbers])
        np.testing.assert_array_equal(varied.pictures()[:, 0, 0, 0], numbers)
        for before, after in zip(one.spans, varied.spans, strict=True):
            inside = [place for place, n in enumerate(numbers) if before.start <= n < before.end]
            assert [*range(after.start, after.end)] == inside
    assert len(lengths) > 3
    share = 1 - dropped
    assert 23 * 0.6 * share - 1 <= min(lengths) < max(lengths) <= 23 * 1.4 * share + 1


def test_as_many_frames_stay_as_are_needed() -> None:
    for seed in range(10):
        assert vary(clip(), seed, rescale=0.5, dropped=0.9, least=17).num_frames == 17
    assert vary(clip(5), rescale=0.0, dropped=0.9, least=17).num_frames == 5


def test_a_flip_swaps_the_sides_of_joints_confidences_and_pictures() -> None:
    one = clip()
    flipped = vary(one, flip=1.0)
    np.testing.assert_array_equal(flipped.frames, mirror(one.frames))
    np.testing.assert_array_equal(flipped.confidence, one.confidence[:, SWAPPED])
    np.testing.assert_array_equal(flipped.confidence[:, LEFT_WRIST], one.confidence[:, RIGHT_WRIST])
    np.testing.assert_array_equal(flipped.pictures(), one.pictures()[:, :, ::-1])
    halves = [bool((vary(one, seed, flip=0.5).frames[:, 0, 0] <= 0).all()) for seed in range(40)]
    assert 8 < sum(halves) < 32


def test_size_and_turn_move_a_whole_clip_and_keep_its_shape() -> None:
    one = clip()
    varied = vary(one, size=0.2, turn=0.3)
    first = np.linalg.norm(np.diff(one.frames[:, 1:], axis=1), axis=-1)
    second = np.linalg.norm(np.diff(varied.frames[:, 1:], axis=1), axis=-1)
    ratio = second / first
    assert 0.8 <= ratio.mean() <= 1.2
    np.testing.assert_allclose(ratio, ratio.mean(), rtol=1e-3)
    assert not np.allclose(varied.frames, one.frames, atol=0.01)
    turned = vary(one, turn=0.3)
    np.testing.assert_allclose(turned.frames[..., 2], one.frames[..., 2], atol=1e-6)
    lengths = [np.linalg.norm(each.frames, axis=-1) for each in (one, turned)]
    np.testing.assert_allclose(*lengths, rtol=1e-4)


def test_a_share_of_the_keypoints_is_hidden_and_no_more() -> None:
    shares = [(vary(clip(), seed, hidden=0.4).confidence == 0).mean() for seed in range(20)]
    assert max(shares) <= 0.4 + 1e-3
    assert max(shares) > 0.25 > min(shares)
    without = vary(replace(clip(), confidence=None), hidden=0.4)
    assert set(np.unique(without.confidence)) == {0, 1}


def test_rough_disturbs_joints_alone() -> None:
    one, rough = clip(), vary(clip(), rough=True)
    assert 0 < np.abs(rough.frames[:, 2:] - one.frames[:, 2:]).max() < 1
    np.testing.assert_array_equal(rough.confidence, one.confidence)


def test_a_square_is_cut_from_the_middle_or_anywhere_but_alike_in_all_frames() -> None:
    film = np.zeros((5, 9, 9, 3), np.uint8)
    film[..., 0], film[..., 1] = np.arange(9)[:, None], np.arange(9)
    one = replace(clip(5), pictures=lambda: film)
    middle = cut_pictures(one, resized_px=9, side_px=5).pictures()
    assert middle.shape == (5, 5, 5, 3)
    np.testing.assert_array_equal(middle, film[:, 2:7, 2:7])
    corners = set()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        cut = cut_pictures(one, resized_px=9, side_px=5, rng=rng).pictures()
        top, left = (int(value) for value in cut[0, 0, 0, :2])
        np.testing.assert_array_equal(cut, film[:, top : top + 5, left : left + 5])
        corners.add((top, left))
    assert len(corners) > 9
    assert cut_pictures(one, resized_px=6, side_px=6).pictures().shape == (5, 6, 6, 3)


def test_clips_without_pictures_stay_and_too_small_ones_are_refused_when_read() -> None:
    bare = replace(clip(), pictures=None)
    assert cut_pictures(bare, resized_px=32, side_px=32) is bare
    with pytest.raises(ConfigError, match="at most as large as the pictures"):
        cut_pictures(clip(), resized_px=32, side_px=33).pictures()
