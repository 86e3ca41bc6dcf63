"""The sound of an open container: channels averaged, samples checked, brought to one rate.

What cannot be decoded is left out, so what follows comes that much earlier.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from signloom.errors import FormatError
from signloom.features.containers import Decoding, choose_stream
from signloom.features.resampling import MAX_RATE, MIN_RATE, Resampler, Samples

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.stream import AudioStream
    from av.container import InputContainer

MAX_S = 24 * 3600.0
MAX_CHANNELS = 64
MAX_AMPLITUDE = 16.0
"""Loud recordings and lossy codecs pass 1; numbers above this were never scaled to it."""
_ESTIMATED = frozenset({"mp3", "aac", "amr", "ac3", "eac3"})
"""Formats whose header does not say how long they are: FFmpeg guesses."""
_SCALES = {"u8": 2**7, "s16": 2**15, "s32": 2**31, "s64": 2**63, "flt": 1, "dbl": 1}
_CUT_S = 0.1


@dataclass
class SoundBlocks:
    """Sound to be taken once, block by block; iterate over it or over `blocks`.

    Attributes:
        blocks: Blocks [samples] of a second, the last one shorter. Taking them raises FormatError
            where the sound does not hold.
        rate: Samples a second of the blocks.
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

    def close(self) -> None:
        """Close the file before its end."""
        close = getattr(self.blocks, "close", None)
        if close is not None:
            close()


def decode_sound(
    container: InputContainer, *, name: str, rate: int | None, claimed_s: float | None = None
) -> SoundBlocks:
    """Give the sound of an open container, which is closed when the last block is taken.

    Args:
        container: What PyAV has opened.
        name: What messages call it.
        rate: Samples a second to bring it to; None for those that it has.
        claimed_s: How long the file says it is, where PyAV does not tell.

    Raises:
        FormatError: It has no stream of sound, or one of an impossible rate.
        ConfigError: The rate is below 1000 or above 768000 Hz.
    """
    stream = choose_stream(container, container.streams.audio, name=name, noun="sound")
    recorded = stream.codec_context.sample_rate
    check_sound(recorded, stream.codec_context.channels, name=name)
    rate = recorded if rate is None else rate
    warnings = []
    if recorded < rate:
        warnings.append(
            f"{name} was recorded at {recorded} Hz and is read at {rate} Hz: what lies above "
            f"{recorded // 2} Hz is missing."
        )
    decoding = Decoding(container, stream)
    expected_s = claimed_s or length_in_header_s(container, stream)
    reading = _Reading(decoding, name, Resampler(recorded, rate), recorded, expected_s, warnings)
    blocks = _in_seconds(reading.pieces(), rate)
    guessed_s = container.duration / 1e6 if container.duration else None
    return SoundBlocks(blocks, rate, recorded, expected_s or guessed_s, warnings)


def length_in_header_s(container: InputContainer, stream: AudioStream) -> float | None:
    """Give how long a header says that the sound is, in seconds; None if it does not say."""
    if _ESTIMATED & set(container.format.name.split(",")):
        return None
    if stream.duration and stream.time_base:
        return float(stream.duration * stream.time_base)
    return container.duration / 1e6 if container.duration else None


def check_sound(rate: int, channels: int, *, name: str) -> None:
    """Refuse sound that cannot be.

    Args:
        rate: Samples a second.
        channels: How many it has.
        name: What messages call it.

    Raises:
        FormatError: They are too few or too many.
    """
    if not MIN_RATE <= rate <= MAX_RATE:
        raise FormatError(
            f"{name} must have {MIN_RATE} to {MAX_RATE} samples a second, but says {rate}."
        )
    if not 1 <= channels <= MAX_CHANNELS:
        raise FormatError(f"{name} must have 1 to {MAX_CHANNELS} channels, but says {channels}.")


def _in_seconds(pieces: Iterator[Samples], rate: int) -> Iterator[Samples]:
    """Make pieces of any length blocks of a second."""
    held: list[Samples] = []
    count = 0
    for piece in pieces:
        held.append(piece)
        count += len(piece)
        if count < rate:
            continue
        whole = np.concatenate(held)
        edge = count - count % rate
        yield from (whole[start : start + rate] for start in range(0, edge, rate))
        held, count = [whole[edge:]], count - edge
    if count:
        yield np.concatenate(held)


@dataclass
class _Reading:
    """A stream of sound being decoded, and what has gone wrong so far."""

    decoding: Decoding
    name: str
    resampler: Resampler
    recorded: int
    expected_s: float | None
    warnings: list[str]
    decoded_s: float = 0.0

    def pieces(self) -> Iterator[Samples]:
        """Give pieces of any length at the rate asked for."""
        try:
            for frame in self.decoding.frames():
                samples = self._mixed(frame)
                if frame.sample_rate != self.recorded:  # a broadcast may change it on the way
                    yield from self.resampler.finish()
                    self.recorded = frame.sample_rate
                    self.resampler = Resampler(self.recorded, self.resampler.to)
                self.decoded_s += len(samples) / self.recorded
                if self.decoded_s > MAX_S:
                    raise FormatError(
                        f"{self.name} must be at most {MAX_S / 3600:g} hours long, but is longer. "
                        "Cut it into parts."
                    )
                yield from self.resampler.push(samples)
            yield from self.resampler.finish()
        finally:
            self.decoding.container.close()
        if not self.decoded_s:
            raise FormatError(f"{self.name} must have a sample that can be decoded, but has none.")
        self._tell_damage()

    def _mixed(self, frame: AudioFrame) -> Samples:
        """Give a frame as the average of its channels [samples], scaled to -1 to 1."""
        count = frame.layout.nb_channels
        check_sound(frame.sample_rate, count, name=self.name)
        kind = frame.format.name.removesuffix("p")
        found = frame.to_ndarray()
        channels = found if frame.format.is_planar else found.reshape(-1, count).T
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused
            numbers = channels.astype(np.float32)
            samples: Samples = numbers[0] if count == 1 else numbers.mean(axis=0)
            samples = (samples - 128 if kind == "u8" else samples) / np.float32(_SCALES[kind])
            held = np.abs(samples) <= MAX_AMPLITUDE
        if not held.all():
            place = int(held.argmin())
            at_s = self.decoded_s + place / frame.sample_rate
            raise FormatError(
                f"{self.name} must hold finite samples from -1 to 1, but at {at_s:.4f} s holds "
                f"{samples[place]:g}. Write it anew, scaled or as whole numbers."
            )
        return samples

    def _tell_damage(self) -> None:
        broken, expected_s = self.decoding.broken, self.expected_s
        if expected_s is not None and self.decoded_s < 0.99 * expected_s - _CUT_S:
            found = (
                f"damaged or cut short: {self.decoded_s:.2f} of {expected_s:.2f} s could be decoded"
            )
        elif self.decoding.is_cut:
            found = f"cut short after {self.decoded_s:.2f} s"
        elif broken:
            found = f"damaged: {broken} {'piece' if broken == 1 else 'pieces'} could not be decoded"
        else:
            return
        self.warnings.append(f"{self.name} is {found}.")
