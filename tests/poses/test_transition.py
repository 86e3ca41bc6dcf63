"""The movement of least jerk rests at both ends and goes straight from one to the other."""

from __future__ import annotations

import numpy as np

from signloom.poses.transition import between, minimum_jerk


def test_minimum_jerk_rests_at_both_ends() -> None:
    way = minimum_jerk(np.linspace(0, 1, 1001))
    assert way[1] < 1e-6
    assert way[-2] > 1 - 1e-6
    assert (np.diff(way) >= 0).all()


def test_frames_between_two_leave_both_out_and_meet_in_the_middle() -> None:
    before, after = np.zeros((5, 3), np.float32), np.full((5, 3), 2, np.float32)
    frames = between(before, after, 7)
    assert frames.shape == (7, 5, 3)
    np.testing.assert_allclose(frames[3], 1, atol=1e-6)
    assert (np.diff(frames[:, 0, 0]) > 0).all()
    assert frames.min() > 0
    assert frames.max() < 2
