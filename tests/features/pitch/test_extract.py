from __future__ import annotations

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.features.pitch.extract import pitch, raw_pitch
from signloom.features.pitch.processing import process


def tone(hertz: float | np.ndarray, *, num_samples: int, rate: int = 16000) -> np.ndarray:
    phase = np.cumsum(np.broadcast_to(hertz, num_samples)) / rate
    return (0.3 * np.sin(2 * np.pi * phase)).astype(np.float32)


def test_it_is_kaldis(of_kaldi) -> None:
    raw = raw_pitch(of_kaldi.samples, rate=16000)
    np.testing.assert_allclose(raw[:, 1], of_kaldi.raw_pitch[:, 1], rtol=1e-6)
    np.testing.assert_allclose(raw[:, 0], of_kaldi.raw_pitch[:, 0], rtol=0, atol=1e-5)
    found = process(raw)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found[:, 0], of_kaldi.pitch[:, 0], rtol=0, atol=2e-4)
    np.testing.assert_allclose(found[:, 1:], of_kaldi.pitch[:, 1:], rtol=0, atol=1e-5)


@pytest.mark.parametrize("rate", [4000, 8000, 11025, 16000, 22050, 44100])
def test_a_tone_has_its_pitch_at_any_rate(rate) -> None:
    found = raw_pitch(tone(120.0, num_samples=rate // 3, rate=rate), rate=rate)
    assert found.shape == (31, 2)
    np.testing.assert_allclose(found[:, 1], 120.0, rtol=0.01)
    assert found[:25, 0].min() > 0.99


def test_a_rising_tone_is_followed() -> None:
    hertz = np.geomspace(100.0, 200.0, 16000)
    found = raw_pitch(tone(hertz, num_samples=16000), rate=16000)[5:-5, 1]
    middles = hertz[np.arange(5, 93) * 160 + 280]
    np.testing.assert_allclose(found, middles, rtol=0.03)


def test_loudness_changes_nothing() -> None:
    noise = np.random.default_rng(7).standard_normal(3001).astype(np.float32)
    loud = raw_pitch(noise, rate=8000)
    np.testing.assert_allclose(raw_pitch(noise / 1024, rate=8000), loud, rtol=1e-6)


def test_noise_is_less_of_a_voice_than_a_tone() -> None:
    noise = np.random.default_rng(7).standard_normal(3001).astype(np.float32)
    voiced = pitch(tone(150.0, num_samples=3001, rate=8000), rate=8000)
    # Kaldi's feature falls where the voice is surer.
    assert voiced[:-3, 0].max() < pitch(noise, rate=8000)[:-3, 0].min()


@pytest.mark.parametrize(
    ("num_samples", "frames"),
    [(0, 0), (1, 0), (57, 0), (396, 0), (397, 1), (556, 1), (557, 2), (1047, 5)],
)
def test_less_than_a_window_gives_no_frame(num_samples, frames) -> None:
    sound = tone(170.0, num_samples=num_samples)
    raw = raw_pitch(sound, rate=16000)
    assert raw.shape == (frames, 2)
    np.testing.assert_array_equal(pitch(sound, rate=16000), process(raw), strict=True)


@pytest.mark.parametrize("value", [0.0, 0.3, -1.0, 1e-40, 1e30])
def test_what_does_not_sound_gives_finite_features(value) -> None:
    sound = np.full(1501, value, dtype=np.float32)
    found = raw_pitch(sound, rate=8000)
    assert np.abs(found[:, 0]).max() <= 1.0
    assert ((found[:, 1] >= 50) & (found[:, 1] <= 400.001)).all()
    assert np.isfinite(pitch(sound, rate=8000)).all()


def test_a_rate_too_low_to_hold_a_voice_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least 4000"):
        pitch(np.zeros(7, dtype=np.float32), rate=3999)
