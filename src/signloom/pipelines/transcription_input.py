"""What a transcriber is given: a file, sound in memory or a microphone, taken block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from signloom.errors import FormatError
from signloom.features.microphone import Microphone, open_microphone
from signloom.features.passages import Passage, cut_passages
from signloom.features.resampling import Samples, resample
from signloom.features.sound import Sound, sound_blocks
from signloom.features.sound_decoding import MAX_AMPLITUDE

Source = Sound | Microphone | Path | str
"""Sound in memory, a microphone, or a file of sound or film as a path."""
Advance = Callable[[int], None]


@dataclass
class Recording:
    """Sound on its way through a transcriber; it can be taken once.

    Attributes:
        blocks: Sound from -1 to 1, blocks [samples].
        rate: Samples a second.
        expected_s: How long it will be; None where nobody knows.
        warnings: What is wrong with it, complete when all is taken.
        num_samples: Samples taken so far.
    """

    blocks: Iterator[Samples]
    rate: int
    expected_s: float | None = None
    warnings: list[str] = field(default_factory=list)
    num_samples: int = 0

    @property
    def duration_s(self) -> float:
        """Seconds taken so far."""
        return self.num_samples / self.rate

    def passages(self, *, most_s: float, advance: Advance | None = None) -> Iterator[Passage]:
        """Cut it at its pauses.

        Args:
            most_s: Longest passage, in seconds.
            advance: Told how many more seconds have been taken.

        Raises:
            FormatError: The sound does not hold.
        """
        return cut_passages(self._counted(advance), rate=self.rate, most_s=most_s)

    def _counted(self, advance: Advance | None) -> Iterator[Samples]:
        for block in self.blocks:
            before = int(self.duration_s)
            self.num_samples += len(block)
            if advance is not None:
                advance(int(self.duration_s) - before)
            yield block


def open_recording(source: Source, *, rate: int) -> Recording:
    """Open sound; of a file only the header is read.

    Args:
        source: Sound, a microphone, or a file.
        rate: Samples a second to bring it to.

    Raises:
        FormatError: It is no sound, or cannot be read.
        ConfigError: The microphone cannot be named so on this system.
    """
    if isinstance(source, str | Path | Microphone):
        sound = (
            open_microphone(source, rate=rate)
            if isinstance(source, Microphone)
            else sound_blocks(Path(source), rate=rate)
        )
        return Recording(sound.blocks, rate, sound.expected_s, sound.warnings)
    if not isinstance(source, Sound):
        raise FormatError(
            "What is to be transcribed must be a file or a `Sound`, but is of the type "
            f"`{type(source).__name__}`. Make one: Sound(samples, rate, recorded_rate=rate)."
        )
    samples = np.asarray(source.samples, dtype=np.float32)
    if samples.ndim != 1 or not len(samples):
        raise FormatError(
            f"A sound must be samples of one channel, but they are {list(samples.shape)}. Average "
            "the channels."
        )
    if not (np.abs(samples) <= MAX_AMPLITUDE).all():
        raise FormatError(
            "The samples of a sound must be finite and from -1 to 1, but some are not. Divide "
            "whole numbers of 16 bits by 32768."
        )
    brought = resample(samples, rate=source.rate, to=rate)
    return Recording(iter([brought]), rate, source.duration_s, list(source.warnings))
