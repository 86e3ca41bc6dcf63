from __future__ import annotations

import numpy as np
import pytest

from signloom.features.pitch.correlation import correlations, num_frames

SIGNAL = np.random.default_rng(3).standard_normal(20777).astype(np.float32)


def naive(signal: np.ndarray, frame: int, lag: int, ballast: float) -> float:
    padded = np.pad(signal.astype(np.float64), (0, 200))
    window = padded[frame * 40 : frame * 40 + 182]
    window = window - window[:100].mean()
    first, later = window[:100], window[lag : lag + 100]
    return first @ later / np.sqrt((first @ first) * (later @ later) + ballast)


@pytest.mark.parametrize("ballast", [0.0, 1e4])
def test_each_value_is_the_correlation_of_two_windows(ballast) -> None:
    count = num_frames(SIGNAL)
    blocks = list(correlations(SIGNAL, ballast=np.full(count, ballast)))
    assert len(blocks) == 2
    found = np.concatenate(blocks)
    assert found.shape == (517, 75)
    for frame in (0, 3, 499, 500, 514, 516):
        for lag in (8, 31, 82):
            expected = naive(SIGNAL, frame, lag, ballast)
            assert found[frame, lag - 8] == pytest.approx(expected, abs=1e-9)


def test_each_frame_has_a_ballast_of_its_own() -> None:
    [found] = correlations(SIGNAL[:211], ballast=np.array([0.0, 1e9, 0.0]))
    assert np.abs(found[1]).max() < 0.01 < np.abs(found[0]).max()


def test_silence_does_not_correlate() -> None:
    [found] = correlations(np.zeros(143, dtype=np.float32), ballast=np.zeros(2))
    np.testing.assert_array_equal(found, np.zeros((2, 75)))


@pytest.mark.parametrize(("length", "count"), [(0, 0), (99, 0), (100, 1), (139, 1), (140, 2)])
def test_only_full_windows_are_frames(length, count) -> None:
    assert num_frames(SIGNAL[:length]) == count
