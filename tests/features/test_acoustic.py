"""What a speech model hears: filterbanks, with pitch behind them where it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from signloom.features.acoustic import Acoustics
from signloom.features.fbank import fbank
from signloom.features.pitch.extract import pitch
from tests.small_sounds import tone

RATE = 16000


@pytest.mark.parametrize("has_pitch", [False, True])
def test_pitch_stands_behind_the_filters_and_neither_is_longer(has_pitch: bool) -> None:
    sound = tone(0.73, RATE, hertz=150.0)
    acoustics = Acoustics(rate=RATE, num_mels=13, pitch=has_pitch)
    found = acoustics.compute(sound)
    energies, tones = fbank(sound, rate=RATE, num_mels=13), pitch(sound, rate=RATE)
    count = min(len(energies), len(tones)) if has_pitch else len(energies)
    assert found.shape == (count, acoustics.num_features) == (count, 16 if has_pitch else 13)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found[:, :13], energies[:count])
    np.testing.assert_array_equal(found[:, 13:], tones[:count, : 3 * has_pitch])


@pytest.mark.parametrize("num_samples", [0, 1, 399])
@pytest.mark.parametrize("has_pitch", [False, True])
def test_sound_shorter_than_a_window_has_no_frame(num_samples: int, has_pitch: bool) -> None:
    acoustics = Acoustics(rate=RATE, num_mels=7, pitch=has_pitch)
    found = acoustics.compute(np.zeros(num_samples, np.float32))
    assert found.shape == (0, acoustics.num_features)
