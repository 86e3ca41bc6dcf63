from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from signloom.errors import ConfigError, FormatError
from signloom.features.sound import (
    is_sound,
    read_sound,
    read_span,
    sound_blocks,
    sound_length_s,
)
from tests.small_films import greys, write_film
from tests.small_sounds import tone, write_recording


@pytest.mark.parametrize(
    ("name", "codec", "kind", "rate"),
    [
        ("a.wav", "pcm_s16le", "s16", 44100),
        ("b.wav", "pcm_u8", "u8", 11025),
        ("c.wav", "pcm_f64le", "dbl", 8000),
        ("d.flac", "flac", "s32", 22050),
        ("e.mp3", "libmp3lame", "fltp", 32000),
        ("f.opus", "libopus", "flt", 48000),
        ("g.m4a", "aac", "fltp", 16000),
        ("h.webm", "libopus", "flt", 48000),
        ("i.mp4", "aac", "fltp", 44100),
        ("j.wav", "pcm_s24le", "s32", 96000),
    ],
)
def test_common_formats_are_read_as_one_channel_at_the_rate(tmp_path, name, codec, kind, rate):
    loud, soft = tone(0.7, rate), tone(0.7, rate, loudness=0.1)
    path = write_recording(
        tmp_path / name, np.stack([loud, soft]), rate, codec=codec, sample_format=kind
    )
    sound = read_sound(path, rate=16000)
    middle = sound.samples[4000:6000]
    expected_s = sound_blocks(path, rate=None).expected_s
    assert expected_s is not None
    assert abs(expected_s - sound.duration_s) < 0.1
    assert (sound.rate, sound.recorded_rate) == (16000, rate)
    assert sound.samples.dtype == np.float32
    assert 0.7 <= sound.duration_s < 0.85  # codecs put silence before and behind
    assert 0.27 < middle.max() < 0.33  # the average of both channels
    frequency = np.abs(np.fft.rfft(middle * np.hanning(2000))).argmax() * 8
    assert abs(frequency - 440) <= 8
    assert abs(sound_length_s(path) - sound.duration_s) < 0.06


def test_a_recording_of_a_lower_rate_says_what_is_missing(tmp_path) -> None:
    path = write_recording(tmp_path / "a.wav", tone(0.2, 8000), 8000)
    assert read_sound(path, rate=16000).warnings == (
        f"{path} was recorded at 8000 Hz and is read at 16000 Hz: what lies above 4000 Hz is "
        "missing.",
    )
    assert read_sound(path, rate=8000).warnings == ()


@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_recording_of_a_few_samples_is_read(tmp_path, count) -> None:
    path = write_recording(tmp_path / "a.wav", np.full(count, 0.5), 8000)
    assert len(read_sound(path, rate=8000).samples) == count
    assert len(read_sound(path, rate=16000).samples) == 2 * count


def test_what_has_no_sound_is_refused_in_one_line(tmp_path) -> None:
    whole = write_recording(tmp_path / "whole.wav", tone(0.1, 8000), 8000).read_bytes()
    write_recording(tmp_path / "none.wav", np.zeros(0), 8000)
    write_film(tmp_path / "silent.mp4", greys(3))
    write_film(tmp_path / "cover.png", greys(1), codec="png", pixels="rgb24")
    contents = {
        "text.wav": b"no sound" * 99,
        "empty.wav": b"",
        "list.m3u": b"#EXTM3U\n#EXTINF:1,\nwhole.wav\n",
        "names.ogg": b"ffconcat version 1.0\nfile whole.wav\n",
        "head.wav": whole[:30],
    }
    claims = {
        "text.wav": "is none that can be decoded",
        "empty.wav": "it is empty",
        "list.m3u": "is none that can be decoded",
        "names.ogg": "is none that can be decoded",
        "head.wav": "must",
        "cover.png": "is none that can be decoded",
        "none.wav": "must have a sample that can be decoded, but has none",
        "silent.mp4": "must have a stream of sound, but has video only",
        "missing.wav": "cannot be read: No such file",
        "": "is a folder, a pipe or a device",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    for name, claim in claims.items():
        with pytest.raises(FormatError, match=claim) as caught:
            read_sound(tmp_path / name, rate=16000)
        assert str(tmp_path / name) in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 12345.0])
def test_numbers_that_are_no_samples_are_refused_with_the_first_place(tmp_path, wrong) -> None:
    samples = tone(3, 8000)
    samples[[16_003, 20_000]] = wrong
    path = write_recording(
        tmp_path / "a.wav", samples, 8000, codec="pcm_f32le", sample_format="flt"
    )
    with pytest.raises(FormatError, match=rf"a.wav must hold .* but at 2.0004 s holds {wrong:g}\."):
        read_sound(path, rate=16000)


@pytest.mark.parametrize(
    ("name", "codec", "kind"),
    [("a.wav", "pcm_s16le", "s16"), ("b.flac", "flac", "s16"), ("c.wav", "pcm_f32le", "flt")],
)
def test_a_file_cut_short_gives_what_is_there_and_says_so(tmp_path, name, codec, kind) -> None:
    noise = np.random.default_rng(0).uniform(-0.5, 0.5, 24_000)
    path = write_recording(tmp_path / name, noise, 8000, codec=codec, sample_format=kind)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    sound = read_sound(path, rate=8000)
    assert 0.9 < sound.duration_s <= 1.5
    [warning] = sound.warnings
    assert f"is damaged or cut short: {sound.duration_s:.2f} of 3.00 s could be decoded" in warning


def test_a_film_without_its_index_is_to_be_copied_again(tmp_path) -> None:
    path = write_recording(
        tmp_path / "a.m4a", tone(0.5, 8000), 8000, codec="aac", sample_format="fltp"
    )
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(FormatError, match=r"its end is missing. Copy it again"):
        read_sound(path, rate=8000)


def test_damage_in_the_middle_is_left_out_and_counted(tmp_path) -> None:
    path = write_recording(
        tmp_path / "a.aac", tone(2, 16000), 16000, codec="aac", sample_format="fltp"
    )
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 300] = bytes(range(256)) + bytes(44)
    path.write_bytes(content)
    sound = read_sound(path, rate=16000)
    assert 1 < sound.duration_s < 2.1
    assert "damaged" in sound.warnings[0]


def test_a_header_that_makes_no_sense_is_refused(tmp_path) -> None:
    path = write_recording(tmp_path / "a.wav", tone(0.2, 8000), 8000)
    content = bytearray(path.read_bytes())
    content[24:28] = (3).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(FormatError, match="must have 1000 to 768000 samples a second, but says 3"):
        read_sound(path, rate=16000)
    with pytest.raises(ConfigError, match="must be 1000 to 768000 Hz"):
        read_sound(write_recording(tmp_path / "b.wav", tone(0.2, 8000), 8000), rate=3)


def test_a_recording_that_is_too_long_to_be_read_whole_is_refused(tmp_path) -> None:
    path = write_recording(tmp_path / "a.wav", tone(2.5, 8000), 8000)
    assert len(read_sound(path, rate=8000, most_s=2.5).samples) == 20_000
    with pytest.raises(FormatError, match=r"must be at most 2.4 s long .* Cut it into parts, or"):
        read_sound(path, rate=8000, most_s=2.4)


def test_blocks_are_seconds_and_together_the_whole(tmp_path) -> None:
    path = write_recording(tmp_path / "a.flac", tone(3.3, 8000), 8000, codec="flac")
    sound = sound_blocks(path, rate=11025)
    blocks = list(sound)
    assert [len(block) for block in blocks] == [11025, 11025, 11025, 3308]
    assert sound.expected_s == pytest.approx(3.3)
    whole = read_sound(path, rate=11025)
    np.testing.assert_array_equal(np.concatenate(blocks), whole.samples)
    assert tuple(sound.warnings) == whole.warnings


def test_a_small_file_that_unfolds_into_much_takes_little_memory(tmp_path) -> None:
    path = write_recording(tmp_path / "a.flac", np.zeros(90 * 48_000), 48_000, codec="flac")
    assert path.stat().st_size < 100_000
    tracemalloc.start()
    try:
        count = sum(len(block) for block in sound_blocks(path, rate=48_000))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 90 * 48_000  # 17 MB
    assert most < 2e6


def test_names_of_sound_are_known(tmp_path) -> None:
    assert is_sound(tmp_path / "A.FLAC")
    assert not is_sound(tmp_path / "a.mp4")


def test_part_of_a_recording_is_read(tmp_path) -> None:
    path = write_recording(tmp_path / "a.wav", tone(3.3, 8000, hertz=97), 8000)
    whole = read_sound(path, rate=8000).samples
    for start_s, end_s in ((0.0, 0.5), (0.25, 1.0), (0.9, 2.2), (1.0, 2.0), (3.1, 9.0)):
        expected = whole[round(start_s * 8000) : round(end_s * 8000)]
        found = read_span(path, rate=8000, start_s=start_s, end_s=end_s)
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(read_span(path, rate=8000, start_s=2.5), whole[20_000:])
    with pytest.raises(FormatError, match=r"a.wav must be longer than 4 s, but is 3.30 s"):
        read_span(path, rate=8000, start_s=4.0)


def test_blocks_keep_the_rate_of_the_recording_if_none_is_asked_for(tmp_path) -> None:
    path = write_recording(tmp_path / "a.wav", tone(0.5, 11025), 11025)
    sound = sound_blocks(path, rate=None)
    assert (sound.rate, sound.warnings) == (11025, [])
    assert sum(map(len, sound)) == 5512
