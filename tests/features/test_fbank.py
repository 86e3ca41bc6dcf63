from __future__ import annotations

import numpy as np
import pytest

from signloom.features.fbank import fbank

RATE = 16000


def tone(hertz: float, *, num_samples: int, rate: int = RATE) -> np.ndarray:
    return np.sin(2 * np.pi * hertz * np.arange(num_samples) / rate).astype(np.float32)


def test_it_is_kaldis(of_kaldi) -> None:
    found = fbank(of_kaldi.samples, rate=RATE)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, of_kaldi.fbank, rtol=0, atol=5e-4)


@pytest.mark.parametrize(
    ("num_samples", "frames"), [(0, 0), (1, 0), (399, 0), (400, 1), (559, 1), (560, 2), (1047, 5)]
)
def test_only_a_window_that_is_full_gives_a_frame(num_samples, frames) -> None:
    assert fbank(tone(440.0, num_samples=num_samples), rate=RATE).shape == (frames, 80)


@pytest.mark.parametrize("rate", [8000, 16000, 22050])
def test_a_higher_tone_is_in_a_higher_filter_at_any_rate(rate) -> None:
    low, high = (
        fbank(tone(hertz, num_samples=rate // 5, rate=rate), rate=rate, num_mels=23)
        for hertz in (300.0, 1100.0)
    )
    assert low.shape == (18, 23)
    assert low.argmax(axis=1).max() < high.argmax(axis=1).min()


def test_silence_is_finite_and_the_same_each_time() -> None:
    found = fbank(np.zeros(777, dtype=np.float32), rate=RATE)
    assert np.isfinite(found).all()
    np.testing.assert_array_equal(found, fbank(np.zeros(777, dtype=np.float32), rate=RATE))
