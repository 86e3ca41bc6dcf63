import numpy as np

from signloom.data.roughening import hold_still, roughen, smooth_noise
from signloom.poses.normalize import to_features


def test_roughening_moves_no_joint_far_and_keeps_the_frames() -> None:
    frames = np.zeros((113, 50, 3), np.float32)
    rng = np.random.default_rng(0)
    apart = np.stack([to_features(roughen(frames, rng)) for _ in range(20)])
    assert apart.shape == (20, 113, 150)
    assert 0 < np.abs(apart).std() < 0.05
    assert np.abs(apart[..., 24:87]).max() < 0.15


def test_roughening_follows_from_the_generator_alone() -> None:
    frames = np.random.default_rng(1).normal(size=(7, 50, 3)).astype(np.float32)
    first, second = (roughen(frames, np.random.default_rng(2)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert (first != frames).any()


def test_smooth_noise_has_no_corner_but_at_its_knots() -> None:
    for frames in (1, 5, 6, 61):
        noise = smooth_noise((frames, 11), np.random.default_rng(3))
        assert noise.shape == (frames, 11)
    bends = np.abs(np.diff(noise, n=2, axis=0)).max(axis=1) > 1e-5
    assert 0 < bends.sum() <= 2 + 61 // 6


def test_holding_still_keeps_length_and_mean() -> None:
    frames = np.random.default_rng(1).normal(size=(7, 50, 3)).astype(np.float32)
    held = hold_still(frames)
    assert held.shape == frames.shape
    assert (held == held[0]).all()
    np.testing.assert_allclose(held[0], frames.mean(axis=0), atol=1e-6)
