from __future__ import annotations

import numpy as np
import pytest

from signloom.features.pitch.downsampling import downsample
from signloom.features.pitch.sinc import windowed_sinc


@pytest.mark.parametrize("rate", [4000, 4001, 8000, 11025, 16000])
def test_each_sample_is_the_filtered_sound_at_its_time(rate) -> None:
    samples = np.random.default_rng(rate).standard_normal(rate // 3).astype(np.float32)
    found = downsample(samples, rate=rate)
    assert len(found) == int(np.ceil(len(samples) * 4000 / rate))
    for place in (0, 1, 7, len(found) // 2, len(found) - 1):
        times = np.arange(len(samples)) / rate - place / 4000
        weights = windowed_sinc(times, cutoff=1000.0, num_zeros=1) / rate
        assert found[place] == pytest.approx(weights @ samples, abs=1e-5)


def test_a_long_sound_is_filtered_as_a_whole() -> None:
    samples = np.random.default_rng(0).standard_normal(20011).astype(np.float32)
    whole = downsample(samples, rate=8000)
    assert len(whole) > 2 * 4096
    later = downsample(samples[8000:], rate=8000)
    np.testing.assert_allclose(whole[4002:], later[2:], atol=1e-6)


def test_what_is_too_high_for_the_rate_is_filtered_out() -> None:
    times = np.arange(4003) / 16000
    low, high = (
        downsample(np.sin(2 * np.pi * hertz * times).astype(np.float32), rate=16000)[5:-5]
        for hertz in (150.0, 4100.0)
    )
    assert np.abs(high).max() < 0.05 * np.abs(low).max()


def test_no_sound_gives_no_sample() -> None:
    assert downsample(np.zeros(0, dtype=np.float32), rate=16000).shape == (0,)
