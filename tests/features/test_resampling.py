from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.features.resampling import Resampler, resample
from tests.small_sounds import tone


@pytest.mark.parametrize(
    ("count", "rate", "to", "expected"),
    [
        (1, 8000, 16000, 2),
        (5, 16000, 8000, 3),
        (12345, 44100, 16000, 4479),
        (7000, 16000, 17778, 7778),
    ],
)
def test_sound_keeps_its_length_however_short_it_is(count, rate, to, expected) -> None:
    found = resample(np.ones(count, dtype=np.float32), rate=rate, to=to)
    assert found.shape == (expected,)
    assert found.dtype == np.float32


def test_a_tone_stays_the_tone_that_it_was_and_where_it_was() -> None:
    found = resample(tone(1.5, 44100), rate=44100, to=16000)
    assert np.abs(found - tone(1.5, 16000))[100:-100].max() < 1e-4


def test_what_is_too_high_for_the_rate_is_filtered_out() -> None:
    found = resample(tone(0.5, 16000, hertz=5000), rate=16000, to=8000)
    assert np.abs(found[200:-200]).max() < 0.01


def test_a_rate_that_does_not_change_changes_nothing() -> None:
    samples = tone(0.1, 8000)
    assert resample(samples, rate=8000, to=8000) is samples


def test_blocks_give_what_the_whole_gives() -> None:
    samples = np.random.default_rng(0).uniform(-1, 1, 4001).astype(np.float32)
    resampler = Resampler(8000, 11025)
    starts = (0, 1, 7, 7, 1500, 4001)
    pieces = [
        piece for start, end in pairwise(starts) for piece in resampler.push(samples[start:end])
    ]
    found = np.concatenate([*pieces, *resampler.finish()])
    np.testing.assert_array_equal(found, resample(samples, rate=8000, to=11025))


def test_no_sound_gives_no_sound() -> None:
    assert resample(np.zeros(0, dtype=np.float32), rate=8000, to=16000).shape == (0,)


@pytest.mark.parametrize(("rate", "to"), [(0, 8000), (8000, 999), (800_000, 8000), (8000, -1)])
def test_a_rate_that_no_sound_has_is_refused(rate, to) -> None:
    with pytest.raises(ConfigError, match="must be 1000 to 768000 Hz, but is"):
        resample(np.zeros(3, dtype=np.float32), rate=rate, to=to)
