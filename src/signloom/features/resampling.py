"""Sound at another rate, by the resampler of FFmpeg: a windowed sinc, band-limited."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from signloom.errors import ConfigError

Samples = NDArray[np.float32]
"""Sound of one channel [samples], from -1 to 1."""

MIN_RATE = 1000
MAX_RATE = 768_000
"""Samples a second, the least and the most of what is recorded, read or resampled."""
_PIECE = 2**16
_DRAIN_S = 0.1
"""Silence that pushes out what the filter still holds; it holds a few milliseconds."""


def resample(samples: Samples, *, rate: int, to: int) -> Samples:
    """Bring sound to another rate; what is too high for it is filtered out.

    Args:
        samples: One channel [samples].
        rate: Samples a second that it has.
        to: Samples a second that it is to have.

    Returns:
        float32 [samples * to / rate], rounded up; the samples themselves if nothing changes.

    Raises:
        ConfigError: A rate is below 1000 or above 768000 Hz.
    """
    resampler = Resampler(rate, to)
    if rate == to:
        return samples
    pieces = [
        piece
        for start in range(0, len(samples), _PIECE)
        for piece in resampler.push(samples[start : start + _PIECE])
    ]
    pieces += resampler.finish()
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.float32)


class Resampler:
    """Brings sound to another rate, block by block.

    Attributes:
        to: Samples a second that it is to have.

    Args:
        rate: Samples a second that it has.
        to: Samples a second that it is to have.

    Raises:
        ConfigError: A rate is below 1000 or above 768000 Hz.
    """

    def __init__(self, rate: int, to: int) -> None:
        from av.audio.resampler import AudioResampler

        for value in (rate, to):
            if not MIN_RATE <= value <= MAX_RATE:
                raise ConfigError(
                    f"A rate must be {MIN_RATE} to {MAX_RATE} Hz, but is {value}. "
                    "Sound is recorded at 8000 to 48000 Hz as a rule."
                )
        self.to = to
        self._rate, self._ratio = rate, Fraction(to, rate)
        self._filter = AudioResampler(format="flt", layout="mono", rate=to)
        self._taken = 0
        self._given = 0

    def push(self, samples: Samples) -> Iterator[Samples]:
        """Take a block and give what is ready."""
        self._taken += len(samples)
        if self._ratio == 1:
            yield samples
        elif len(samples):
            yield from self._filtered(samples)

    def finish(self) -> Iterator[Samples]:
        """Give what is left, so that the whole is as long as it was."""
        if self._ratio == 1 or not self._taken:
            return
        missing = math.ceil(self._taken * self._ratio) - self._given
        silence = np.zeros(math.ceil(_DRAIN_S * self._rate), dtype=np.float32)
        while missing > 0:
            for piece in self._filtered(silence):
                yield piece[:missing]
                missing -= len(piece[:missing])

    def _filtered(self, samples: Samples) -> Iterator[Samples]:
        from av.audio.frame import AudioFrame

        channels = np.ascontiguousarray(samples[None], dtype=np.float32)
        frame = AudioFrame.from_ndarray(channels, format="flt", layout="mono")
        frame.sample_rate = self._rate
        for found in self._filter.resample(frame):
            piece = found.to_ndarray()[0]
            self._given += len(piece)
            yield piece
