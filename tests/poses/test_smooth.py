from __future__ import annotations

import numpy as np
import pytest

from signloom.poses.smooth import SavitzkyGolay, smooth


@pytest.mark.parametrize("block", [1, 3, 5, 7, 8])
@pytest.mark.parametrize("frames", [1, 2, 4, 7, 8, 113])
def test_streamed_equals_whole_bit_for_bit(frames: int, block: int) -> None:
    values = np.random.default_rng(frames).normal(size=(frames, 5, 3)).astype(np.float32)
    stream = SavitzkyGolay()
    parts = [stream.push(values[start : start + block]) for start in range(0, frames, block)]
    parts.append(stream.flush())
    np.testing.assert_array_equal(np.concatenate(parts), smooth(values))


def test_smoothing_equals_a_naive_loop() -> None:
    values = np.random.default_rng(3).normal(size=(11, 2)).astype(np.float32)
    padded = np.concatenate([values[:1]] * 2 + [values] + [values[-1:]] * 2)
    weights = np.array([-3, 12, 17, 12, -3], dtype=np.float64)[:, None] / 35
    naive = [(padded[place : place + 5] * weights).sum(0) for place in range(11)]
    np.testing.assert_allclose(smooth(values), naive, atol=1e-6)


def test_a_parabola_passes_unchanged() -> None:
    times = np.arange(11, dtype=np.float32)[:, None]
    values = np.concatenate([times, 0.5 * times**2 - 3 * times], axis=1)
    np.testing.assert_allclose(smooth(values)[2:-2], values[2:-2], atol=1e-5)


def test_a_constant_stays_and_nothing_stays_nothing() -> None:
    np.testing.assert_allclose(smooth(np.full((7, 3), 2.5, np.float32)), 2.5, rtol=1e-6)
    assert len(smooth(np.zeros((0, 3), np.float32))) == 0
    assert len(SavitzkyGolay().flush()) == 0


def test_a_flushed_filter_starts_afresh() -> None:
    values = np.random.default_rng(5).normal(size=(7, 3)).astype(np.float32)
    stream = SavitzkyGolay()
    stream.push(values + 9)
    stream.flush()
    again = np.concatenate([stream.push(values), stream.flush()])
    np.testing.assert_array_equal(again, smooth(values))
