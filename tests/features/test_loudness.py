from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from signloom.features.loudness import LEAST_DB, LoudnessMeter
from tests.small_sounds import tone


def measure(blocks, rate):
    meter = LoudnessMeter(rate)
    told = [loudness for block in blocks for loudness in meter.push(block)] + list(meter.finish())
    return tuple(np.concatenate(part) for part in zip(*told, strict=True))


def bursts(rate: int) -> np.ndarray:
    """Give three seconds of faint noise, loud from 1.0 to 1.4 s."""
    noise = np.random.default_rng(0).standard_normal(3 * rate).astype(np.float32)
    noise[:rate] *= 0.001
    noise[rate : round(1.4 * rate)] *= 0.1
    noise[round(1.4 * rate) :] *= 0.001
    return noise


@pytest.mark.parametrize("rate", [8000, 11025, 16000])
def test_what_is_louder_than_what_lies_under_it_stands_out(rate) -> None:
    levels, is_speech = measure([bursts(rate)], rate)
    frame = round(0.02 * rate)
    assert len(levels) == 3 * rate // frame
    expected = np.zeros(len(levels), dtype=bool)
    expected[50:70] = True
    wrong = np.flatnonzero(is_speech != expected)
    assert set(wrong) <= {49, 50, 69, 70}
    assert 35 < levels[52:68].mean() - levels[:48].mean() < 45


def test_blocks_of_any_length_give_what_the_whole_gives() -> None:
    samples = bursts(8000)
    whole = measure([samples], 8000)
    cuts = [0, 1, 159, 160, 161, 5000, 5000, 17_777, len(samples)]
    parts = measure([samples[a:b] for a, b in pairwise(cuts)], 8000)
    np.testing.assert_allclose(parts[0], whole[0])
    np.testing.assert_array_equal(parts[1], whole[1])


def test_what_was_loud_for_long_is_no_longer_told_apart_from_noise() -> None:
    rng = np.random.default_rng(0)
    faint = (1e-3 * rng.standard_normal(8000)).astype(np.float32)
    loud = (0.1 * rng.standard_normal(8000)).astype(np.float32)
    _, is_speech = measure([faint] * 2 + [loud] * 12, 8000)
    assert is_speech[100:340].all()
    assert not is_speech[360:].any()


def test_an_offset_is_no_sound_and_hum_is_little() -> None:
    levels, is_speech = measure([np.full(8000, 0.7, dtype=np.float32)], 8000)
    np.testing.assert_allclose(levels, LEAST_DB)
    assert not is_speech.any()
    levels, _ = measure([tone(1, 8000, hertz=50)], 8000)
    assert levels.max() < -30


def test_less_than_a_frame_is_not_measured() -> None:
    meter = LoudnessMeter(8000)
    assert list(meter.push(np.ones(159, dtype=np.float32))) == []
    assert list(meter.finish()) == []
