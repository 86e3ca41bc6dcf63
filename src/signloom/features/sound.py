"""Sound in files and in films, decoded by PyAV: any codec, one channel, at the rate asked for.

Channels are averaged. The container may say anything, so it is believed in nothing that costs
memory: a file of hours comes in blocks of a second. What is damaged is left out and told, so what
follows comes that much earlier.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from signloom.errors import FormatError
from signloom.features.containers import Decoding, choose_stream, open_container
from signloom.features.resampling import MAX_RATE, MIN_RATE, Resampler, Samples
from signloom.features.resampling import resample as resample

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.stream import AudioStream
    from av.container import InputContainer

SOUND_SUFFIXES = (
    *(".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".m4a", ".aac", ".aif", ".aiff", ".caf"),
    *(".wma", ".amr", ".au", ".w64", ".ac3", ".sph", ".mka", ".weba", ".wv"),
)
"""Of files that hold nothing but sound; that of a film is read as well."""
MOST_S = 600.0
"""Longest sound that is read whole unless more is asked for: 38 MB at 16000 Hz."""
MAX_S = 24 * 3600.0
MAX_CHANNELS = 64
MAX_AMPLITUDE = 16.0
"""Loud recordings and lossy codecs pass 1; numbers above this were never scaled to it."""
_CONTAINERS = (
    *("wav", "w64", "aiff", "au", "caf", "flac", "mp3", "ogg", "aac", "amr", "ac3", "eac3", "wv"),
    *("tta", "ape", "nistsphere", "mov", "matroska", "avi", "mpeg", "mpegts", "asf", "flv", "nut"),
)
_ESTIMATED = frozenset({"mp3", "aac", "amr", "ac3", "eac3"})
"""Formats without a header that says how long they are: FFmpeg guesses."""
_SCALES = {"u8": 2**7, "s16": 2**15, "s32": 2**31, "s64": 2**63, "flt": 1, "dbl": 1}
_CUT_S = 0.1


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


@dataclass
class SoundBlocks:
    """Sound to be taken once, block by block; iterate over it or over `blocks`.

    Attributes:
        blocks: Blocks [samples] of a second, the last one shorter. Taking them raises FormatError
            where the sound does not hold.
        rate: Samples a second, as asked for.
        recorded_rate: Samples a second in the file.
        expected_s: How long it will be, roughly; None if nobody knows.
        warnings: What is wrong but did not stop the reading; complete when all is taken.
    """

    blocks: Iterator[Samples]
    rate: int
    recorded_rate: int
    expected_s: float | None = None
    warnings: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Samples]:
        return self.blocks


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
        FormatError: It cannot be read or decoded, has no sound, holds numbers that are none, or is
            longer than `most_s`.
        ConfigError: The rate is below 1000 or above 768000 Hz.
    """
    sound = sound_blocks(path, rate=rate)
    blocks, count = [], 0
    for block in sound:
        count += len(block)
        if count > most_s * rate:
            raise FormatError(
                f"{path} must be at most {most_s:g} s long to be read at once, but is longer. "
                "Cut it into parts, or take it block by block."
            )
        blocks.append(block)
    samples = np.concatenate(blocks)
    return Sound(samples, rate, sound.recorded_rate, tuple(sound.warnings))


def sound_blocks(path: Path, *, rate: int) -> SoundBlocks:
    """Read the header of a file of sound; its blocks are decoded as they are taken.

    Args:
        path: A file of sound, or a film.
        rate: Samples a second to bring it to.

    Raises:
        FormatError: It cannot be read or decoded, or has no sound. Taking the blocks raises it
            where there is none, or numbers that are none.
        ConfigError: The rate is below 1000 or above 768000 Hz.
    """
    container = open_container(path, formats=_CONTAINERS, noun="a recording of sound")
    return decode_sound(container, name=str(path), rate=rate)


def decode_sound(container: InputContainer, *, name: str, rate: int) -> SoundBlocks:
    """Give the sound of an open container, which is closed when the last block is taken.

    Args:
        container: What PyAV has opened.
        name: What messages call it.
        rate: Samples a second to bring it to.

    Raises:
        FormatError: It has no stream of sound, or one of an impossible rate.
        ConfigError: The rate is below 1000 or above 768000 Hz.
    """
    stream = choose_stream(container, container.streams.audio, name=name, noun="sound")
    recorded = stream.codec_context.sample_rate
    _check_sound(recorded, stream.codec_context.channels, name=name)
    warnings = []
    if recorded < rate:
        warnings.append(
            f"{name} was recorded at {recorded} Hz and is read at {rate} Hz: what lies above "
            f"{recorded // 2} Hz is missing."
        )
    reading = _Reading(Decoding(container, stream), name, rate, Resampler(recorded, rate), warnings)
    return SoundBlocks(reading.blocks(), rate, recorded, _expected_s(container, stream), warnings)


def sound_length_s(path: Path) -> float:
    """Give how long a recording is, from its header if that says so, else by decoding it.

    Raises:
        FormatError: It cannot be read or decoded, or has no sound.
    """
    with open_container(path, formats=_CONTAINERS, noun="a recording of sound") as container:
        stream = choose_stream(container, container.streams.audio, name=str(path), noun="sound")
        rate: int = stream.codec_context.sample_rate
        _check_sound(rate, stream.codec_context.channels, name=str(path))
        if not _ESTIMATED & set(container.format.name.split(",")):
            found = _expected_s(container, stream)
            if found is not None:
                return found
    return sum(map(len, sound_blocks(path, rate=rate))) / rate


@dataclass
class _Reading:
    """A stream of sound being decoded, and what has gone wrong so far."""

    decoding: Decoding
    name: str
    rate: int
    resampler: Resampler
    warnings: list[str]
    decoded_s: float = 0.0

    def blocks(self) -> Iterator[Samples]:
        """Give blocks of a second."""
        held: list[Samples] = []
        count = 0
        try:
            for piece in self._resampled():
                held.append(piece)
                count += len(piece)
                if count < self.rate:
                    continue
                whole = np.concatenate(held)
                for start in range(0, count - self.rate + 1, self.rate):
                    yield whole[start : start + self.rate]
                count %= self.rate
                held = [whole[len(whole) - count :]]
        finally:
            self.decoding.container.close()
        if count:
            yield np.concatenate(held)

    def _resampled(self) -> Iterator[Samples]:
        recorded = self.decoding.stream.codec_context.sample_rate
        expected_s = _expected_s(self.decoding.container, self.decoding.stream)
        for frame in self.decoding.frames():
            samples = self._mixed(frame)
            if frame.sample_rate != recorded:
                recorded = frame.sample_rate
                yield from self.resampler.finish()
                self.resampler = Resampler(recorded, self.rate)
            self.decoded_s += len(samples) / recorded
            if self.decoded_s > MAX_S:
                raise FormatError(
                    f"{self.name} must be at most {MAX_S / 3600:g} hours long, but is longer. "
                    "Cut it into parts."
                )
            yield from self.resampler.push(samples)
        yield from self.resampler.finish()
        if not self.decoded_s:
            raise FormatError(f"{self.name} must have a sample that can be decoded, but has none.")
        self._tell_damage(expected_s)

    def _mixed(self, frame: AudioFrame) -> Samples:
        """Give a frame as the average of its channels [samples], scaled to -1 to 1."""
        count = frame.layout.nb_channels
        _check_sound(frame.sample_rate, count, name=self.name)
        kind = frame.format.name.removesuffix("p")
        found = frame.to_ndarray()
        channels = found if frame.format.is_planar else found.reshape(-1, count).T
        with np.errstate(
            over="ignore", invalid="ignore"
        ):  # what overflows is refused as not finite
            samples: Samples = channels.astype(np.float32).mean(axis=0, dtype=np.float32)
            samples = (samples - 128 if kind == "u8" else samples) / np.float32(_SCALES[kind])
            held = np.abs(samples) <= MAX_AMPLITUDE  # false for what is no number
        if not held.all():
            place = int(held.argmin())
            raise FormatError(
                f"{self.name} must hold finite samples from -1 to 1, but at "
                f"{self.decoded_s + place / frame.sample_rate:.4f} s there is "
                f"{samples[place]:g}. Write it anew, as whole numbers or scaled."
            )
        return samples

    def _tell_damage(self, expected_s: float | None) -> None:
        formats = set(self.decoding.container.format.name.split(","))
        is_short = (
            expected_s is not None
            and not _ESTIMATED & formats
            and self.decoded_s < 0.99 * expected_s - _CUT_S
        )
        if is_short or self.decoding.is_cut:
            of = f" of {expected_s:.2f}" if is_short else ""
            self.warnings.append(
                f"{self.name} is damaged or cut short: {self.decoded_s:.2f}{of} s could be decoded."
            )
        elif self.decoding.broken:
            self.warnings.append(
                f"{self.name} is damaged: {self.decoding.broken} pieces could not be decoded."
            )


def _check_sound(rate: int, channels: int, *, name: str) -> None:
    if not MIN_RATE <= rate <= MAX_RATE:
        raise FormatError(
            f"{name} must have {MIN_RATE} to {MAX_RATE} samples a second, but says {rate}."
        )
    if not 1 <= channels <= MAX_CHANNELS:
        raise FormatError(f"{name} must have 1 to {MAX_CHANNELS} channels, but says {channels}.")


def _expected_s(container: InputContainer, stream: AudioStream) -> float | None:
    if stream.duration and stream.time_base:
        return float(stream.duration * stream.time_base)
    return container.duration / 1e6 if container.duration else None
