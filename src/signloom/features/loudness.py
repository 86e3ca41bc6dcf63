"""Where sound is louder than what lies under it: speech, as a rule, told from steady noise.

The loudness of every 20 ms is compared with the least of the five seconds before and the one
after. Pre-emphasis lets hum and other low tones count for less than speech; a constant offset does
not count. Music and single loud noises count as speech.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from signloom.features.resampling import Samples

FRAME_S = 0.02
LEAST_DB = -80.0
"""Speech from afar lies above this, after pre-emphasis; the last of 16 bits lies below."""
ABOVE_DB = 5.0
"""So much louder than what lies under it speech is; white noise stays within 3.5."""
_EMPHASIS = 0.97
_BEFORE, _AFTER = 250, 50
_SMOOTH = 3


class Loudness(NamedTuple):
    """How loud frames are that follow each other.

    Attributes:
        levels_db: Level of each [frames]; 0 is the loudest there is.
        is_speech: Whether it stands out [frames].
    """

    levels_db: NDArray[np.float64]
    is_speech: NDArray[np.bool_]


class LoudnessMeter:
    """Measures sound that comes in blocks; a second of it is heard before one is told.

    Attributes:
        frame: Samples of a frame of 20 ms.

    Args:
        rate: Samples a second.
    """

    def __init__(self, rate: int) -> None:
        self.frame = round(FRAME_S * rate)
        self._rest = np.zeros(0, dtype=np.float32)
        self._last = np.float32(0)
        self._is_begun = False
        self._levels = np.zeros(0)
        self._told = 0

    def push(self, samples: Samples) -> Iterator[Loudness]:
        """Take a block [samples] and tell of the frames that are decided by it."""
        whole = np.concatenate([self._rest, samples])
        edge = len(whole) - len(whole) % self.frame
        self._rest = whole[edge:]
        if edge:
            self._levels = np.concatenate([self._levels, self._measure(whole[:edge])])
            yield from self._tell(len(self._levels) - _AFTER - _SMOOTH // 2)

    def finish(self) -> Iterator[Loudness]:
        """Tell of the frames that are left; less than a frame is not measured."""
        yield from self._tell(len(self._levels))

    def _measure(self, samples: Samples) -> NDArray[np.float64]:
        if not self._is_begun:
            self._is_begun, self._last = True, samples[0]
        before = np.concatenate([[self._last], samples[:-1]])
        self._last = samples[-1]
        power = (samples - _EMPHASIS * before).reshape(-1, self.frame).var(axis=1, dtype=np.float64)
        levels_db: NDArray[np.float64] = 10 * np.log10(power + 10 ** (LEAST_DB / 10))
        return levels_db

    def _tell(self, until: int) -> Iterator[Loudness]:
        """Decide the frames before `until`, and forget what is too old to matter."""
        if until <= self._told:
            return
        levels = self._levels
        padded = np.pad(levels, _SMOOTH // 2, mode="edge")
        smooth = sliding_window_view(padded, _SMOOTH).mean(axis=1)
        around = np.pad(smooth, (_BEFORE, _AFTER), constant_values=np.inf)
        floor = sliding_window_view(around, _BEFORE + 1 + _AFTER).min(axis=1)[self._told : until]
        told = levels[self._told : until]
        yield Loudness(told, told > np.maximum(floor, LEAST_DB) + ABOVE_DB)
        old = max(0, until - _BEFORE - _SMOOTH)
        self._levels, self._told = levels[old:], until - old
