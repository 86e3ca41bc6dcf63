from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from signloom.errors import ConfigError
from signloom.features.passages import cut_passages
from signloom.features.sound import read_sound
from tests.small_sounds import tone

RATE = 8000


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), dtype=np.float32)


def speech(seconds: float, *, seed: int = 0) -> np.ndarray:
    """Give noise whose loudness goes up and down four times a second, as that of syllables."""
    count = round(seconds * RATE)
    noise = np.random.default_rng(seed).standard_normal(count)
    swell = 0.01 + np.sin(4 * np.pi * np.arange(count) / RATE) ** 2
    return (0.05 * swell * noise).astype(np.float32)


def cut(samples: np.ndarray, *, most_s: float = 10.0, block: int = RATE):
    blocks = (samples[start : start + block] for start in range(0, len(samples), block))
    return list(cut_passages(blocks, rate=RATE, most_s=most_s))


def test_pauses_are_cut_at_and_passages_say_where_they_begin() -> None:
    parts = [silence(1), speech(1.5), silence(0.8), speech(0.5), silence(0.1), speech(0.5)]
    samples = np.concatenate([*parts, silence(2)])
    found = cut(samples)
    assert len(found) == 2
    for passage, start, end in zip(found, (1.0, 3.3), (2.5, 4.4), strict=True):
        length_s = len(passage.samples) / RATE
        assert start - 0.25 < passage.start_s <= start
        assert end <= passage.start_s + length_s < end + 0.35
        first = round(passage.start_s * RATE)
        np.testing.assert_array_equal(
            passage.samples, samples[first : first + len(passage.samples)]
        )


def test_the_length_of_the_blocks_does_not_matter() -> None:
    samples = np.concatenate([silence(0.5), speech(3), silence(1), speech(1), silence(1)])
    whole = cut(samples, block=len(samples))
    for block in (777, RATE):
        found = cut(samples, block=block)
        assert [passage.start_s for passage in found] == [passage.start_s for passage in whole]
        for one, other in zip(found, whole, strict=True):
            np.testing.assert_array_equal(one.samples, other.samples)


def noise(scale: float, seconds: float = 20) -> np.ndarray:
    count = round(seconds * RATE)
    return (scale * np.random.default_rng(0).standard_normal(count)).astype(np.float32)


@pytest.mark.parametrize(
    "samples",
    [
        silence(0),
        silence(20),
        np.ones(1, dtype=np.float32),
        np.full(20 * RATE, 0.5, dtype=np.float32),
        noise(0.3),
        noise(1e-4),
        tone(20, RATE, hertz=50, loudness=0.01),
        tone(20, RATE, hertz=60, loudness=0.3),
        np.round(32767 * noise(2e-5)) / np.float32(32768),
        np.concatenate([silence(5), np.ones(1, dtype=np.float32), silence(5)]),
    ],
    ids=["none", "silence", "sample", "offset", "loud", "faint", "hum", "Hum", "last bit", "click"],
)
def test_silence_and_steady_noise_give_no_passage(samples) -> None:
    assert cut(samples) == []


def test_speech_over_noise_is_found() -> None:
    samples = np.concatenate([silence(3), speech(2), silence(3)]) + noise(0.002, 8)
    [passage] = cut(samples)
    assert 2.7 < passage.start_s <= 3.05
    assert 1.8 < len(passage.samples) / RATE < 2.6


def test_speech_without_a_pause_is_cut_where_it_is_quietest_in_the_last_third() -> None:
    samples = np.concatenate([speech(4), 0.03 * speech(0.16), speech(3.84), silence(1)])
    first, second = cut(samples, most_s=5.0)
    assert first.start_s == 0
    assert 4.0 <= second.start_s <= 4.16
    assert len(first.samples) == round(second.start_s * RATE)
    assert len(second.samples) <= 5 * RATE


def test_no_passage_is_too_long_and_nothing_is_lost_or_heard_twice() -> None:
    samples = speech(31)
    found = cut(samples, most_s=3.0)
    assert max(len(passage.samples) for passage in found) <= 3 * RATE
    np.testing.assert_array_equal(
        np.concatenate([passage.samples for passage in found]), samples[: 31 * RATE]
    )


def test_a_passage_is_given_as_soon_as_it_is_complete() -> None:
    taken = 0

    def blocks():
        nonlocal taken
        for block in [speech(1), *[silence(1)] * 20]:
            taken += 1
            yield block

    passage = next(cut_passages(blocks(), rate=RATE, most_s=10.0))
    assert passage.start_s == 0
    assert taken <= 3


def test_long_sound_takes_the_memory_of_a_passage() -> None:
    rate, block = 1000, 10_000
    said = 0.05 * np.tile(np.repeat([0.01, 1, 0.1, 1], 100), 25) * noise(1.0)[:block]
    blocks = [said.astype(np.float32), said.astype(np.float32), np.zeros(block, dtype=np.float32)]
    stream = (blocks[number % 3] for number in range(60))  # ten minutes: 2.4 MB
    tracemalloc.start()
    try:
        found = cut_passages(stream, rate=rate, most_s=15.0)
        lengths = [len(passage.samples) for passage in found]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(lengths) == 40
    assert 10 * rate < max(lengths) <= 15 * rate
    assert peak < 8e5


def test_spoken_digits_with_pauses_are_told_apart(data_dir) -> None:
    folder = data_dir / "speech" / "fsdd" / "flac"
    names = ("3_george_7", "9_jackson_11", "0_theo_5", "7_lucas_20", "6_nicolas_9", "1_yweweler_2")
    digits = [read_sound(folder / f"{name}.flac", rate=RATE).samples for name in names]
    starts, parts = [], [silence(1)]
    for digit in digits:
        starts.append(sum(map(len, parts)) / RATE)
        parts += [digit, silence(0.7)]
    found = cut(np.concatenate(parts))
    assert len(found) == len(digits)
    for passage, start, digit in zip(found, starts, digits, strict=True):
        assert start - 0.3 < passage.start_s < start + 0.2
        assert passage.start_s + len(passage.samples) / RATE > start + 0.6 * len(digit) / RATE


@pytest.mark.parametrize(
    ("most_s", "pause_s"), [(0.9, 0.3), (float("nan"), 0.3), (3.0, 0.0), (3.0, -1.0)]
)
def test_lengths_that_make_no_sense_are_refused(most_s, pause_s) -> None:
    with pytest.raises(ConfigError, match="`most_s` must be at least 1 and `pause_s` above 0"):
        cut_passages([], rate=RATE, most_s=most_s, pause_s=pause_s)
