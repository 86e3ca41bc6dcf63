from __future__ import annotations

import numpy as np
import pytest

from signloom.data.frame_choice import frames_at_rate, vary_frames
from signloom.poses.pose import Pose
from signloom.poses.retime import resample


@pytest.mark.parametrize(("frames", "fps"), [(1, 30.0), (7, 30.0), (100, 29.97), (31, 10.0)])
def test_another_rate_has_as_many_frames_as_the_resampled_pose(frames: int, fps: float) -> None:
    positions = np.repeat(np.arange(frames, dtype=np.float32), 150).reshape(-1, 50, 3)
    pose = resample(Pose.of(positions, fps=fps), 25.0)
    chosen = frames_at_rate(frames, fps=fps, to_fps=25.0)
    assert len(chosen) == pose.num_frames
    assert np.abs(pose.frames[:, 0, 0] - chosen).max() <= 0.5 + 1e-4


def test_the_same_rate_keeps_every_frame() -> None:
    assert frames_at_rate(11, fps=25.0, to_fps=25.0).tolist() == list(range(11))


def test_a_varied_clip_is_a_fifth_longer_or_shorter_at_most_and_in_order() -> None:
    rng = np.random.default_rng(0)
    lengths = []
    for _ in range(300):
        chosen = vary_frames(100, rng)
        assert (np.diff(chosen) >= 0).all()
        assert (chosen[0], chosen[-1], chosen.dtype) == (0, 99, np.int64)
        lengths.append(len(chosen))
    assert (min(lengths), max(lengths)) == (80, 120)


def test_dropped_frames_are_left_out_by_chance() -> None:
    rng = np.random.default_rng(0)
    picks = [vary_frames(100, rng, rescale=0.0, dropped=0.5) for _ in range(200)]
    assert {len(set(chosen.tolist())) for chosen in picks} == {50}
    assert all((np.diff(chosen) > 0).all() for chosen in picks)
    counts = np.bincount(np.concatenate(picks), minlength=100)
    assert counts.min() > 60
    assert counts.max() < 140


def test_no_fewer_frames_stay_than_are_needed() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        assert len(vary_frames(11, rng, dropped=0.9, least=7)) >= 7
        assert len(vary_frames(11, rng, dropped=0.9, least=99)) >= 11
    assert vary_frames(1, rng, dropped=1.0).tolist() == [0]


def test_the_choice_follows_from_the_generator_alone() -> None:
    first, second = (vary_frames(50, np.random.default_rng(3), dropped=0.3) for _ in range(2))
    np.testing.assert_array_equal(first, second)
