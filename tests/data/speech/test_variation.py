"""How training speech is varied, and that nothing is where nothing is asked for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from signloom.data.speech.variation import VariationConfig, add_noise, hide, vary_sound
from signloom.errors import ConfigError
from tests.small_sounds import tone

RATE = 8000
STILL = {"speeds": (1.0,), "bands": 0, "stretches": 0}
SOUND = tone(0.3, RATE, loudness=0.2)
FEATURES = np.random.default_rng(0).normal(size=(50, 11)).astype(np.float32)
FILL = np.arange(100, 111, dtype=np.float32)


def varied(seed: int = 0, **changes) -> np.ndarray:
    config = VariationConfig(**(STILL | changes))
    return vary_sound(SOUND, np.random.default_rng(seed), config, rate=RATE)


def hidden(seed: int = 0, **changes) -> np.ndarray:
    """Say which features are hidden [frames, features]; of 11 the first 7 are of mel filters."""
    config = VariationConfig(**(STILL | changes))
    rng = np.random.default_rng(seed)
    found = hide(FEATURES, rng, config, num_mels=7, fill=FILL)
    where = found != FEATURES
    np.testing.assert_array_equal(found[where], np.broadcast_to(FILL, found.shape)[where])
    return where


def test_what_is_not_asked_for_is_not_varied() -> None:
    np.testing.assert_array_equal(varied(), SOUND)
    assert not hidden().any()


def test_another_speed_changes_how_long_it_takes_and_how_high_it_is() -> None:
    lengths = {len(varied(seed, speeds=(0.8, 1.0, 1.25))) for seed in range(20)}
    assert lengths == {1920, 2400, 3000}
    fast = varied(speeds=(1.25,))
    peak = np.abs(np.fft.rfft(fast * np.hanning(len(fast)), RATE)).argmax()
    assert peak == pytest.approx(440 * 1.25, abs=3)


def test_it_is_louder_or_softer_by_up_to_so_much_and_never_beyond_full_scale() -> None:
    gains = [20 * math.log10(np.abs(varied(seed, gain_db=6.0)).max() / 0.2) for seed in range(40)]
    assert -6 <= min(gains) < -4
    assert 4 < max(gains) <= 6
    assert max(np.abs(varied(seed, gain_db=40.0)).max() for seed in range(20)) == 1


def test_noise_is_added_to_a_share_at_its_distance_from_the_sound() -> None:
    kinds = [
        np.array_equal(varied(seed, noise_share=0.4, noise_db=(9.0, 9.0)), SOUND)
        for seed in range(60)
    ]
    assert np.mean(kinds) == pytest.approx(0.6, abs=0.15)
    noise = varied(noise_share=1.0, noise_db=(9.0, 9.0)) - SOUND
    below = 20 * math.log10(SOUND.std() / noise.std())
    assert below == pytest.approx(9, abs=0.5)


@pytest.mark.parametrize("num_samples", [0, 77])
def test_silence_gets_no_noise(num_samples: int) -> None:
    silence = np.zeros(num_samples, np.float32)
    found = add_noise(silence, np.random.default_rng(0), below_db=3.0)
    np.testing.assert_array_equal(found, silence)


def test_bands_are_of_mel_filters_and_hidden_throughout() -> None:
    widths = set()
    for seed in range(60):
        where = hidden(seed, bands=1, band_width=3)
        assert (where == where[0]).all()
        assert not where[:, 7:].any()
        columns = np.flatnonzero(where[0])
        assert len(columns) == 0 or np.ptp(columns) == len(columns) - 1
        widths.add(len(columns))
    assert widths == {0, 1, 2, 3}
    assert hidden(bands=9, band_width=200)[:, :7].all()


def test_stretches_hide_all_features_of_a_bounded_time() -> None:
    longest = {"by seconds": 0, "by share": 0}
    for seed in range(60):
        for name, seconds, share in (("by seconds", 0.05, 1.0), ("by share", 9.0, 0.14)):
            where = hidden(seed, stretches=1, stretch_s=seconds, stretch_share=share)
            assert (where == where[:, :1]).all()
            rows = np.flatnonzero(where[:, 0])
            assert len(rows) == 0 or np.ptp(rows) == len(rows) - 1
            longest[name] = max(longest[name], len(rows))
    assert longest == {"by seconds": 5, "by share": 7}


def test_an_utterance_without_frames_stays_without() -> None:
    rng = np.random.default_rng(0)
    assert hide(FEATURES[:0], rng, VariationConfig(), num_mels=7, fill=FILL).shape == (0, 11)


def test_the_same_draw_varies_in_the_same_way() -> None:
    changes = {"speeds": (0.9, 1.1), "gain_db": 5.0, "noise_share": 0.5}
    np.testing.assert_array_equal(varied(4, **changes), varied(4, **changes))
    before = FEATURES.copy()
    np.testing.assert_array_equal(hidden(4, bands=2), hidden(4, bands=2))
    np.testing.assert_array_equal(FEATURES, before)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"speeds": ()}, r"`variation\.speeds` must be numbers from 0\.5 to 2"),
        ({"speeds": (1.0, 2.5)}, r"but are \[1\.0, 2\.5\]"),
        ({"speeds": (math.nan,)}, r"but are \[nan\]"),
        ({"noise_db": (9.0, 3.0)}, r"`variation\.noise_db` must go .* but is \[9\.0, 3\.0\]"),
        ({"noise_db": (-30.0, 3.0)}, "from -20 or more"),
        ({"noise_db": (3.0, math.nan)}, "up to 100 or less"),
    ],
)
def test_speeds_and_noises_that_are_none_are_refused(changes, message: str) -> None:
    VariationConfig().check()
    with pytest.raises(ConfigError, match=message):
        VariationConfig(**changes).check()
