"""Sound in files and in films: any codec, one channel, at the rate asked for.

The container may say anything, so it is believed in nothing that costs memory: a file of hours
comes in blocks of a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from signloom.errors import FormatError
from signloom.features.bounded import check_plain
from signloom.features.containers import choose_stream, open_container
from signloom.features.resampling import Samples
from signloom.features.riff import claimed_length_s
from signloom.features.sound_decoding import (
    SoundBlocks,
    check_sound,
    decode_sound,
    length_in_header_s,
)

SOUND_SUFFIXES = (
    *(".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".m4a", ".aac", ".aif", ".aiff", ".caf"),
    *(".wma", ".amr", ".au", ".w64", ".ac3", ".sph", ".mka", ".weba", ".wv"),
)
"""Of files that hold nothing but sound; that of a film is read as well."""
MOST_S = 600.0
"""Longest sound that is read whole unless more is asked for: 38 MB at 16000 Hz."""
_CONTAINERS = (
    *("wav", "w64", "aiff", "au", "caf", "flac", "mp3", "ogg", "aac", "amr", "ac3", "eac3", "wv"),
    *("tta", "ape", "nistsphere", "mov", "matroska", "avi", "mpeg", "mpegts", "asf", "flv", "nut"),
)
_NOUN = "a recording of sound"


@dataclass(frozen=True, eq=False)
class Sound:
    """Sound that was read whole.

    Attributes:
        samples: One channel [samples], from -1 to 1.
        rate: Samples a second, as asked for.
        recorded_rate: Samples a second in the file.
        warnings: What is wrong but did not stop the reading.
    """

    samples: Samples
    rate: int
    recorded_rate: int
    warnings: tuple[str, ...] = ()

    @property
    def duration_s(self) -> float:
        """How long it is, in seconds."""
        return len(self.samples) / self.rate


def is_sound(path: Path) -> bool:
    """Say whether a file of this name holds nothing but sound."""
    return path.suffix.lower() in SOUND_SUFFIXES


def read_sound(path: Path, *, rate: int, most_s: float = MOST_S) -> Sound:
    """Read sound whole.

    Args:
        path: A file of sound, or a film.
        rate: Samples a second to bring it to.
        most_s: Longest sound to be read, in seconds.

    Raises:
        FormatError: It cannot be read or decoded, has no sound, holds numbers that are no samples,
            or is longer than `most_s`.
        ConfigError: The rate is below 1000 or above 768000 Hz.
    """
    sound = sound_blocks(path, rate=rate)
    blocks, count = [], 0
    for block in sound:
        count += len(block)
        if count > most_s * rate:
            sound.close()
            raise FormatError(
                f"{path} must be at most {most_s:g} s long to be read at once, but is longer. "
                "Cut it into parts, or take it block by block."
            )
        blocks.append(block)
    return Sound(np.concatenate(blocks), rate, sound.recorded_rate, tuple(sound.warnings))


def sound_blocks(path: Path, *, rate: int | None) -> SoundBlocks:
    """Read the header of a file; its sound is decoded as its blocks are taken.

    Args:
        path: A file of sound, or a film.
        rate: Samples a second to bring it to; None for those that it has.

    Raises:
        FormatError: It cannot be read or decoded, or has no sound. Taking the blocks raises it
            where there is none, or numbers that are no samples.
        ConfigError: The rate is below 1000 or above 768000 Hz.
    """
    container = open_container(path, formats=_CONTAINERS, noun=_NOUN)
    claimed_s = claimed_length_s(path)
    return decode_sound(container, name=str(path), rate=rate, claimed_s=claimed_s)


def read_span(
    path: Path, *, rate: int, start_s: float = 0.0, end_s: float | None = None
) -> Samples:
    """Read part of a recording; what comes before it is decoded and dropped.

    Args:
        path: A file of sound, or a film.
        rate: Samples a second to bring it to.
        start_s: Where the part begins, in seconds.
        end_s: Where it ends; by default with the recording.

    Returns:
        float32 [samples].

    Raises:
        FormatError: It cannot be read or decoded, has no sound, ends before the part begins, or the
            part is longer than `MOST_S`.
        ConfigError: The rate is below 1000 or above 768000 Hz.
    """
    first = round(start_s * rate)
    end = None if end_s is None else round(end_s * rate)
    sound = sound_blocks(path, rate=rate)
    parts: list[Samples] = []
    place = taken = 0
    for block in sound:
        part = block[max(0, first - place) : None if end is None else max(0, end - place)]
        place += len(block)
        taken += len(part)
        parts += [part] if len(part) else []
        if taken > MOST_S * rate:
            sound.close()
            raise FormatError(f"{path} must be read {MOST_S:g} s at a time at most. Cut it.")
        if end is not None and place >= end:
            sound.close()
            break
    if not parts:
        raise FormatError(f"{path} must be longer than {start_s:g} s, but is {place / rate:.2f} s.")
    return np.concatenate(parts)


def sound_length_s(path: Path) -> float:
    """Give how long a recording is, by its header if that says so, else by decoding it.

    A header is believed: this is for lists of a million recordings.

    Raises:
        FormatError: It cannot be read or decoded, or has no sound.
    """
    try:
        found = claimed_length_s(path) if check_plain(path) else None
    except (FormatError, OSError):
        found = None  # opening it says what is wrong
    if found:
        return found
    with open_container(path, formats=_CONTAINERS, noun=_NOUN) as container:
        stream = choose_stream(container, container.streams.audio, name=str(path), noun="sound")
        rate: int = stream.codec_context.sample_rate
        check_sound(rate, stream.codec_context.channels, name=str(path))
        found = length_in_header_s(container, stream)
    return found or sum(map(len, sound_blocks(path, rate=None))) / rate
