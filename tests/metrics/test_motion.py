import numpy as np
import pytest

from signloom.metrics.motion import Jerk, jerk, last_third, length_errors, path_length
from signloom.poses.smooth import smooth


def test_path_length_is_the_way_travelled_averaged_over_joints() -> None:
    frames = np.zeros((5, 2, 3))
    frames[:, 0, 0] = [0, 1, 0, 1, 0]
    assert path_length(frames) == pytest.approx(2.0)
    assert path_length(frames[:1]) == 0.0


@pytest.mark.parametrize(("frames", "expected"), [(1, 1), (2, 1), (3, 2), (9, 4), (11, 4)])
def test_last_third_keeps_the_frame_before_it(frames: int, expected: int) -> None:
    assert len(last_third(np.zeros((frames, 1, 3)))) == expected


def test_a_jump_at_a_block_edge_counts_as_edge() -> None:
    frames = np.zeros((24, 1, 3))
    frames[8:, 0, 0] = 1.0
    found = jerk(frames, block=8)
    assert found.edge == pytest.approx(1 + 2 + 1)
    assert found.elsewhere == 0.0


def test_a_jump_inside_a_block_does_not() -> None:
    frames = np.zeros((24, 1, 3))
    frames[12:, 0, 0] = 1.0
    found = jerk(frames, block=8)
    assert found.edge == 0.0
    assert found.elsewhere == pytest.approx(4.0)


def test_three_differences_span_each_edge() -> None:
    found = jerk(np.zeros((25, 1, 3)), block=8)
    assert (found.edge_count, found.elsewhere_count) == (3 + 3 + 1, 22 - 7)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_too_short_to_jerk_gives_no_ratio(frames: int) -> None:
    assert np.isnan(jerk(np.zeros((frames, 1, 3))).ratio)


def test_noise_jerks_alike_everywhere_and_sums_add() -> None:
    rng = np.random.default_rng(0)
    total = sum((jerk(rng.normal(size=(113, 3, 3))) for _ in range(50)), Jerk())
    assert total.ratio == pytest.approx(1.0, abs=0.03)


def test_the_filter_removes_a_seam() -> None:
    rng = np.random.default_rng(0)
    frames = rng.normal(size=(113, 3, 3)).cumsum(axis=0).astype(np.float32) * 0.1
    frames += np.repeat(rng.normal(size=(15, 1, 1)), 8, axis=0)[:113].astype(np.float32)
    assert jerk(smooth(frames)).ratio < jerk(frames).ratio


def test_length_errors_are_relative_to_the_reference() -> None:
    errors = length_errors(np.array([90, 110]), np.array([100, 100]))
    assert errors.tolist() == pytest.approx([0.1, 0.1])
